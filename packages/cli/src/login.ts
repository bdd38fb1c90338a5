import { z } from 'zod'
import { envelopeSchema, requestApi } from './api.ts'
import { checkToken, connect, requestSession } from './connection.ts'
import { getCredentialsPath, getServerName, readCredentials, storeCredential } from './credentials.ts'
import { resolveAddress } from './endpoint.ts'
import { CommandError, printable, success, usage, type Io } from './io.ts'

export interface LoginOptions {
  readonly url?: string
  readonly email?: string
  /** Whether to ask for an API key instead of an e-mail address and a password. @default false */
  readonly key?: boolean
}

const operator = envelopeSchema(z.object({ id: z.string(), name: z.string().nullable() }))

/**
 * Logs in, and stores an API key or a session for other commands.
 *
 * @returns the exit code
 * @throws CommandError if the server rejects the credentials
 */
export async function login(options: LoginOptions, io: Io): Promise<number> {
  const address = resolveAddress(options.url ?? (io.env['SALLYPORT_URL'] || undefined), io.env)
  const isKey = options.key === true
  const email = isKey ? undefined : (options.email ?? (await ask('E-mail: ', false, io)).trim())
  const proof = await ask(isKey ? 'API key: ' : 'Password: ', true, io)
  const credential = isKey
    ? { kind: 'key' as const, key: checkToken(proof.trim()) }
    : await requestSession(address, '/sessions', { email, password: proof }, io)
  const token = credential.kind === 'key' ? credential.key : credential.access_token
  const { data } = await requestApi(
    { method: 'GET', path: '/operator' },
    operator,
    { url: address.href, token },
    io,
  )
  await storeCredential(address, credential, { asDefault: true }, io.env)
  const name = printable(data.name ?? email ?? data.id)
  io.out(`Logged in to ${getServerName(address)} as ${name}`)
  io.out(`  ${credential.kind} stored in ${getCredentialsPath(io.env)}`)
  return success
}

/**
 * Removes the stored credential, and ends the session on the server.
 *
 * @returns the exit code
 */
export async function logout(options: Pick<LoginOptions, 'url'>, io: Io): Promise<number> {
  const { url, servers } = await readCredentials(io.env)
  const address = resolveAddress(options.url ?? (io.env['SALLYPORT_URL'] || url), io.env)
  const name = getServerName(address)
  const credential = servers[name]
  if (credential === undefined) {
    io.out(`There is no login for ${name}`)
    return success
  }
  try {
    if (credential.kind === 'session') await endSession(credential.id, address, io)
  } finally {
    await storeCredential(address, undefined, {}, io.env)
  }
  io.out(
    credential.kind === 'session'
      ? `Logged out of ${name}`
      : `Removed the key of ${name}. The key stays valid: delete it with sallyport keys delete.`,
  )
  return success
}

async function endSession(id: string, address: URL, io: Io): Promise<void> {
  // The environment may have another token.
  const env = { ...io.env, SALLYPORT_KEY: undefined, SALLYPORT_TOKEN: undefined }
  const { resolve, getToken } = await connect({ url: address.href }, { ...io, env })
  const headers = { authorization: `Bearer ${await getToken()}`, 'user-agent': 'sallyport' }
  const signal = AbortSignal.timeout(10_000)
  await io.fetch(resolve(`/sessions/${encodeURIComponent(id)}`), { method: 'DELETE', headers, signal })
}

async function ask(question: string, hidden: boolean, { prompt }: Io): Promise<string> {
  const answer = await prompt?.(question, { hidden })
  if (answer === undefined || answer === '')
    throw new CommandError(usage, 'The input ended', 'Enter the value, or pipe one line per value.')
  return answer
}
