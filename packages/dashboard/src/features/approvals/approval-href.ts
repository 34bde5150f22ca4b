/** Address of an approval's dialog. */
export function approvalHref(approvalId: string): string {
  return `/approvals/${encodeURIComponent(approvalId)}`;
}
