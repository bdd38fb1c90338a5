import { CommandError, usage, type Io } from './io.ts'

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
 * Returns the address of a webhook: the given URL if it has a path, otherwise the path of the provider at this origin.
 *
 * @param url - an http or https address @default localhost with the port in `PORT`, or 3111
 * @param endpoint - the id of an endpoint @default the address without an endpoint
 * @throws CommandError if the address is invalid, or has both a path and an endpoint
 */
export function resolveWebhook(
  provider: string,
  { url, endpoint }: { readonly url?: string | undefined; readonly endpoint?: string | undefined },
  env: Io['env'],
): URL {
  const address = resolveAddress(url, env)
  if (address.pathname === '/') {
    address.pathname = ['/webhooks', provider, ...(endpoint === undefined ? [] : [endpoint])]
      .map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
      .join('/')
  } else if (endpoint !== undefined)
    throw new CommandError(usage, 'The URL has a path already', 'Omit --endpoint, or the path of --url.')
  return address
}
