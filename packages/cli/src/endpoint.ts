import { CommandError, usage, type Io } from './io.ts'

const path = '/webhooks/'

/**
 * Returns the address of the server.
 *
 * @param url - an http or https address @default localhost with the port in `PORT`, or 3111
 * @param option - the option in messages
 * @throws CommandError if the address is invalid
 */
export function resolveAddress(url: string | undefined, env: Io['env'], option = '--url'): URL {
  const given = url ?? `http://localhost:${env['PORT'] || '3111'}`
  const address = URL.parse(given)
  if (address?.protocol !== 'http:' && address?.protocol !== 'https:') {
    const message =
      url === undefined ? 'PORT is not a valid port' : `${option} is not an http or https address`
    throw new CommandError(
      usage,
      message,
      `Use ${option} http://localhost:3111, or the address of your server.`,
    )
  }
  if (address.username !== '' || address.password !== '') {
    throw new CommandError(
      usage,
      'The address contains credentials',
      `The server does not use them: remove them from ${option}.`,
    )
  }
  address.hash = ''
  return address
}

/**
 * Returns the address of a provider's endpoint, from the address of the server or of the endpoint.
 *
 * @param url - an http or https address @default localhost with the port in `PORT`, or 3111
 * @throws CommandError if the address is invalid or belongs to another provider
 */
export function resolveEndpoint(provider: string, url: string | undefined, env: Io['env']): URL {
  const address = resolveAddress(url, env)
  const base = address.pathname.replace(/(?<!\/)\/+$/, '')
  const [, named] = /\/webhooks\/([^/]*)$/.exec(base) ?? []
  if (named !== undefined && named !== provider) {
    throw new CommandError(usage, `The address belongs to "${named}", not to "${provider}"`)
  }
  if (named === undefined) address.pathname = `${base.replace(/\/webhooks$/, '')}${path}${provider}`
  return address
}
