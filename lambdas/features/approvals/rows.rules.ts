/**
 * First parts of the partition keys of approvals in the call log's table, which policies distinguish: rows, long parts, addresses of
 * pages, approvals of a connection, and deadlines of an account.
 */
export const APPROVAL_FAMILIES = {
  row: 'APPROVAL',
  part: 'APPROVALPART',
  link: 'APPROVALLINK',
  ofConnection: 'APPROVALOF',
  due: 'APPROVALDUE',
} as const;
