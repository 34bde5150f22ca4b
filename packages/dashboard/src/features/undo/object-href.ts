/** Address of everything that keys did to a file, an event or another object of the provider. @param id at the provider */
export function objectHref(id: string): string {
  return `/objects/${encodeURIComponent(id)}`;
}
