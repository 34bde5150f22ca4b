/** Stops with a clear sentence on a Node that does not read the sources; loaded before them, so it is plain JavaScript. */
const REQUIRED_MAJOR = 24;

if (Number(process.versions.node.split('.')[0]) !== REQUIRED_MAJOR) {
  const remedy =
    process.platform === 'linux' && process.arch === 'x64'
      ? 'Run npm ci, which brings it, then this command again.'
      : 'npm ci brings it on Linux (x64) alone: install it from https://nodejs.org/en/download, then run npm ci and this command again.';
  console.error(
    `The gateway runs on Node ${REQUIRED_MAJOR}, as its functions do on AWS; this is ${process.version}. ${remedy}`,
  );
  process.exit(1);
}
