import { randomBytes } from 'node:crypto'
import type { IncomingMessage, RequestListener } from 'node:http'
import { createConsole, isConsoleBuilt } from '@sallyport/console'
import { SallyportError } from '@sallyport/errors'
import { createOperations, type Operator } from '@sallyport/operations'
import type { ApiRequest } from '@sallyport/rest'
import { createMcpRoute } from '@sallyport/rest/mcp'
import { createNodeListener, listen } from '@sallyport/rest/node'
import { type AnyProvider } from '@sallyport/webhooks'
import { createWebhooks, createMemoryDatabase, type WebhooksOptions } from '@sallyport/webhooks/node'

type GatewayOptions = NonNullable<WebhooksOptions<readonly AnyProvider[]>['gateway']>

export interface DevelopmentServerOptions extends Required<
  Pick<WebhooksOptions<readonly AnyProvider[]>, 'publisher' | 'onAttempt' | 'onError'>
> {
  readonly providers: readonly AnyProvider[]
  /** The secrets that verify, by the name of the provider. */
  readonly secrets: Readonly<Record<string, string>>
  readonly port: number
  /** The public origin, for schemes that sign the URL. */
  readonly publicUrl: string | undefined
  readonly observe: NonNullable<GatewayOptions['observe']>
}

export interface DevelopmentServer {
  readonly port: number
  /** Whether the console is served: a checkout must be built. */
  readonly hasConsole: boolean
  /** Finishes running requests and attempts for up to three seconds. */
  readonly stop: () => Promise<void>
}

const operator: Operator = { id: 'developer', permissions: ['read', 'replay', 'erase', 'manage'] }

/**
 * Starts a gateway with the operations API and the console on localhost. Everything is kept in memory.
 *
 * @throws an error with the code `EADDRINUSE` if another program uses the port
 */
export async function startDevelopmentServer({
  providers,
  secrets,
  publisher,
  port,
  publicUrl,
  observe,
  onAttempt,
  onError,
}: DevelopmentServerOptions): Promise<DevelopmentServer> {
  const webhooks = createWebhooks({
    database: createMemoryDatabase(),
    ...{ providers, secrets, publisher, onAttempt, onError },
    encryptionKeys: [randomBytes(32).toString('hex')],
    publicUrl: publicUrl ?? `http://localhost:${port}`,
    // A developer who names a provider accepts what its signature covers.
    gateway: { allowUnsigned: providers.map(({ name }) => name), observe },
  })
  const operations = createOperations(webhooks, {
    authorize: requireLocalPage,
    catalogue: async () => (await import('@sallyport/providers/catalogue')).builtInCatalogue,
    mcp: createMcpRoute,
  })
  const hasConsole = isConsoleBuilt()
  const pages = createNodeListener(operations, {
    mount: '/api/v1',
    ...(hasConsole && {
      otherwise: createNodeListener(createConsole({ api: '/api/v1' }), {
        mount: '/console',
        otherwise: redirectToConsole,
      }),
    }),
  })

  const server = await listen(
    (request, response) => {
      webhooks.node(request, response, () => {
        if (isLocal(request)) pages(request, response)
        else response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' }).end(`${refusal}\n`)
      })
    },
    { host: 'localhost', port },
  )
  webhooks.start()
  return {
    port: server.port,
    hasConsole,
    async stop() {
      // Ends the streams, which the server would wait for.
      await Promise.all([webhooks.stop(1000), server.stop({ graceMs: 2000 })])
    },
  }
}

const redirectToConsole: RequestListener = ({ url }, response) => {
  if (url === '/') response.writeHead(302, { location: '/console/' }).end()
  else response.writeHead(404).end()
}

const refusal = 'Open the console at the address that sallyport dev prints'

/**
 * The console has no login, so that the other side of a tunnel may only send deliveries. The agent of a tunnel connects from
 * this machine, and may replace the host, but names the client in a header.
 */
function isLocal({ headers }: IncomingMessage): boolean {
  const isForwarded = Object.keys(headers).some(
    (name) => name.startsWith('x-forwarded-') || name === 'forwarded' || name === 'via',
  )
  return !isForwarded && /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(headers.host ?? '')
}

/** Only pages of the server itself may use the API, not another site in the browser. */
function requireLocalPage({ header }: ApiRequest): Operator {
  const own = `http://${header('host') ?? ''}`
  const site = header('sec-fetch-site') ?? 'none'
  if ((header('origin') ?? own) === own && ['none', 'same-origin'].includes(site)) return operator
  throw new SallyportError('FORBIDDEN', refusal)
}
