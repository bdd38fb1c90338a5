import { CommandError, usage, type Io } from './io.ts'

const path = '/webhooks/'

/**
 * The address of the server.
 *
 * @param url - an http or https address @default the port of the environment on this machine, 3111 without one
 * @throws CommandError when it is no such address
 */
export function addressOf(url: string | undefined, env: Io['env']): URL {
  const given = url ?? `http://localhost:${env['PORT'] || '3111'}`
  const address = URL.parse(given)
  if (address?.protocol !== 'http:' && address?.protocol !== 'https:') {
    const what = url === undefined ? 'PORT is not a port' : '--url is not an http or https address'
    throw new CommandError(usage, what, 'Use --url http://localhost:3111, or the address of your server.')
  }
  if (address.username !== '' || address.password !== '') {
    throw new CommandError(
      usage,
      'The address holds credentials',
      'They have no use here: leave them out of --url.',
    )
  }
  address.hash = ''
  return address
}

/**
 * The address of a provider's webhook, from the server's own address or the whole one.
 *
 * @param url - an http or https address @default the port of the environment on this machine, 3111 without one
 * @throws CommandError when it is no such address, or that of another provider
 */
export function endpointOf(provider: string, url: string | undefined, env: Io['env']): URL {
  const address = addressOf(url, env)
  const base = address.pathname.replace(/\/+$/, '')
  const [, named] = /\/webhooks\/([^/]*)$/.exec(base) ?? []
  if (named !== undefined && named !== provider) {
    throw new CommandError(usage, `The address is that of "${named}", not of "${provider}"`)
  }
  if (named === undefined) address.pathname = `${base.replace(/\/webhooks$/, '')}${path}${provider}`
  return address
}
