/** What is shown before the dashboard itself: on the way to the issuer, after a sign-out, or when a start failed. */
export function OpeningScreen({
  title,
  message,
  action,
}: {
  title: string;
  message: string;
  action?: { readonly label: string; readonly run: () => void };
}) {
  return (
    <main className="opening">
      <h1>{title}</h1>
      <p role="status">{message}</p>
      {action !== undefined && (
        <button type="button" onClick={action.run}>
          {action.label}
        </button>
      )}
    </main>
  );
}
