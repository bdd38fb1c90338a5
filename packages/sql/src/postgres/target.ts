import pg from 'pg'
import type { SharedPool } from './shared-pool.ts'

/**
 * Says where a URL leads, without the password.
 *
 * @throws TypeError for a URL that leads nowhere; it does not show it
 */
export function describeTarget(url: string): string {
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new TypeError(`The URL of the database is not one: ${expected}`)
  return placeOf(parse(url))
}

/** Says where a pool leads, without the password. */
export function describePool({ options = {} }: SharedPool): string {
  return placeOf(new pg.Client(options as pg.ClientConfig))
}

const placeOf = ({ host, port, database = '', user = '' }: pg.Client) =>
  `${host}:${port}/${database} as ${user}`

const expected =
  'postgres://user:password@host:5432/database is expected, with special characters percent-encoded'

function parse(url: string): pg.Client {
  try {
    return new pg.Client({ connectionString: url })
  } catch (error) {
    // The error of a URL that cannot be parsed holds the whole of it; a file that it names may be the other reason.
    const { code, path } = error as NodeJS.ErrnoException
    if (path === undefined) throw new TypeError(`The URL of the database cannot be read: ${expected}`)
    throw new TypeError(`The URL of the database names a file that cannot be read: ${path} (${code ?? ''})`)
  }
}
