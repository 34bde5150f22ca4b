import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import type { ConnectionCheck } from '../../gateway/library.ts';
import { whoCanFix } from '../../model/causes.ts';
import { Dialog } from '../../ui/dialog.tsx';
import type { NoticeButton } from '../../ui/notices.tsx';

/** What one harmless call to the provider found. @param button begins its remedy */
export function CheckDialog({
  report,
  button,
  onClose,
}: {
  report: ConnectionCheck;
  button: NoticeButton | undefined;
  onClose: () => void;
}) {
  const { works, message, remedy, who, upstreamStatus } = report;
  return (
    <Dialog title="Check" onClose={onClose}>
      <Alert
        type={works ? 'success' : 'error'}
        header={works ? 'The connection works' : 'The connection does not work'}
        action={
          button !== undefined && (
            <Button
              onClick={() => {
                onClose();
                button.onClick();
              }}
            >
              {button.label}
            </Button>
          )
        }
      >
        {message}
      </Alert>
      {remedy !== undefined && (
        <span>
          <b>What to do:</b> {remedy}
        </span>
      )}
      {who !== undefined && <span>{whoCanFix(who)} can fix it.</span>}
      {upstreamStatus !== undefined && <span className="soft">Google answered with status {upstreamStatus}.</span>}
    </Dialog>
  );
}
