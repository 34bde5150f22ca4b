import packageJson from '../../package.json' with { type: 'json' };

/** Version of the command line: that of the project. */
export const VERSION: string = packageJson.version;
