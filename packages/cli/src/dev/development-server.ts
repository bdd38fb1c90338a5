import { randomBytes } from 'node:crypto'
import type { IncomingMessage, RequestListener } from 'node:http'
import { createConsole, isConsoleBuilt } from '@sallyport/console'
import { SallyportError } from '@sallyport/errors'
import { createOperations, type Operator } from '@sallyport/operations'
import type { ApiRequest } from '@sallyport/rest'
import { createNodeListener, listen } from '@sallyport/rest/node'
import { createReplayer, memoryInbox, type AnyProvider } from '@sallyport/webhooks'
import { createSecretCipher } from '@sallyport/webhooks/endpoints'
import { createWebhooks, type WebhooksOptions } from '@sallyport/webhooks/node'
import { createMemoryReplayJobStore, createReplayJobs } from '@sallyport/webhooks/replay-jobs'
import { createTrafficRecorder, memoryTrafficStore } from '@sallyport/webhooks/traffic'
import {
  createUnprocessedDiagnoser,
  createUnprocessedKeeper,
  createUnprocessedReplayer,
  memoryUnprocessedStore,
} from '@sallyport/webhooks/unprocessed'

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
const hourMs = 60 * 60 * 1000

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
  const inbox = memoryInbox()
  const counts = memoryTrafficStore()
  const traffic = createTrafficRecorder({ store: counts, onError })
  const unprocessed = memoryUnprocessedStore()
  const cipher = createSecretCipher([randomBytes(32)])
  const keeper = createUnprocessedKeeper({ store: unprocessed, cipher, keepForMs: 24 * hourMs, onError })
  const webhooks = createWebhooks({
    ...{ providers, secrets, inbox, publisher, onAttempt, onError },
    publicUrl: publicUrl ?? `http://localhost:${port}`,
    gateway: {
      // A developer who names a provider accepts what its signature covers.
      allowUnsigned: providers.map(({ name }) => name),
      onUnprocessed: keeper.keep,
      observe(observation) {
        traffic.observe(observation)
        observe(observation)
      },
    },
  })
  const replayer = createReplayer({ inbox, providers })
  const replayJobs = createReplayJobs({ store: createMemoryReplayJobStore(), inbox, replayer, onError })
  const streamsEnd = new AbortController()
  const operations = createOperations({
    ...{ inbox, replayer, replayJobs, unprocessed, traffic: counts },
    replayUnprocessed: createUnprocessedReplayer({ store: unprocessed, gateway: webhooks.gateway, cipher }),
    diagnoseUnprocessed: createUnprocessedDiagnoser({
      ...{ store: unprocessed, providers, cipher },
      secrets: { getSecrets: (name) => Promise.resolve([secrets[name] ?? '']) },
    }),
    catalogue: {
      providers,
      load: async () => (await import('@sallyport/providers/catalogue')).builtInCatalogue,
    },
    streams: { signal: streamsEnd.signal },
    secrets: [randomBytes(32).toString('hex')],
    authorize: requireLocalPage,
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
  traffic.start()
  keeper.start()
  replayJobs.start()
  return {
    port: server.port,
    hasConsole,
    async stop() {
      streamsEnd.abort()
      await server.stop({ graceMs: 2000 })
      await Promise.all([webhooks.stop(1000), traffic.stop(), keeper.stop(), replayJobs.stop()])
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
