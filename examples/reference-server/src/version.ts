import manifest from '../package.json' with { type: 'json' }

/** The version of this server, as releases are named. */
export const version: string = manifest.version
