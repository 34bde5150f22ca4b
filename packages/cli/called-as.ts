/** How the program was called, for advice that can be pasted: by npm in the project, or by its own name. */
export const GATEWAY = process.env.npm_lifecycle_event === 'gateway' ? 'npm run gateway --' : 'gateway';
