import { z } from 'zod'
import { getConfigurationPath, readConfiguration, writeConfiguration } from './configuration.ts'
import type { Io } from './io.ts'

const credential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('key'), key: z.string() }),
  z.object({
    kind: z.literal('session'),
    id: z.string(),
    access_token: z.string(),
    refresh_token: z.string(),
    /** When the access token expires, in milliseconds since the epoch. */
    expires_at: z.number(),
  }),
])
const credentials = z.object({
  /** The address of the last login, which commands use without another address. */
  url: z.string().optional(),
  servers: z.record(z.string(), credential),
})

/** An API key, or a session with its tokens. */
export type Credential = z.infer<typeof credential>
type Credentials = z.infer<typeof credentials>

/** Returns the path of the file with the credentials. */
export const getCredentialsPath = (env: Io['env']): string => getConfigurationPath('credentials.json', env)

/** Reads the credentials of all servers. */
export async function readCredentials(env: Io['env']): Promise<Credentials> {
  return (await readConfiguration(getCredentialsPath(env), credentials)) ?? { servers: {} }
}

/** Stores the credential of a server, or removes it. A login also makes the address the default. */
export async function storeCredential(
  address: URL,
  stored: Credential | undefined,
  { asDefault = false }: { readonly asDefault?: boolean },
  env: Io['env'],
): Promise<void> {
  // The file is read again, because another command may have changed it.
  const { url, servers } = await readCredentials(env)
  const name = getServerName(address)
  const others = Object.fromEntries(Object.entries(servers).filter(([other]) => other !== name))
  const next = asDefault ? name : stored === undefined && url === name ? undefined : url
  await writeConfiguration(getCredentialsPath(env), {
    ...(next !== undefined && { url: next }),
    servers: stored === undefined ? others : { ...others, [name]: stored },
  })
}

/** Returns the name under which the credential of a server is stored: its address without the path of the API. */
export const getServerName = ({ origin, pathname }: URL): string => `${origin}${getBasePath(pathname)}`

/** Returns the path before `/api/v1`. */
export const getBasePath = (pathname: string): string =>
  pathname.replace(/(?<!\/)\/+$/, '').replace(/\/api\/v1$/, '')
