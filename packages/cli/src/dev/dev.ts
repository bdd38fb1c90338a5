import { once } from 'node:events'
import { createCloudEventsPublisher } from '@sallyport/buses/cloudevents'
import type { AnyProvider, Publisher } from '@sallyport/webhooks'
import { resolveAddress } from '../endpoint.ts'
import { CommandError, printable, success, usage, type Io } from '../io.ts'
import { getLocalSecret, getLocalSecretsPath } from '../local-secret.ts'
import { findProvider } from '../provider.ts'
import { lookUpSecret, secretName } from '../secret.ts'
import { startDevelopmentServer, type DevelopmentServerOptions } from './development-server.ts'

export interface DevOptions {
  /** The address that receives events as CloudEvents. @default events are only printed */
  readonly to?: string
  /** @default the environment's PORT, or 3111 */
  readonly port?: string
  /** The public origin of a tunnel, for services that sign the URL. */
  readonly publicUrl?: string
}

/** A provider and the secret that verifies its deliveries. */
interface Registration {
  readonly provider: AnyProvider
  readonly secret: string
  readonly from: string
}

/**
 * Receives webhooks on this machine until Ctrl-C: a gateway, the operations API and the console, with everything in memory.
 *
 * @throws CommandError if an argument is invalid, a secret is missing, or another program uses the port
 */
export async function dev(names: readonly string[], options: DevOptions, io: Io): Promise<number> {
  const port = parsePort(options.port ?? (io.env['PORT'] || '3111'))
  const to = options.to === undefined ? undefined : resolveAddress(options.to, io.env, '--to')
  const publicUrl =
    options.publicUrl === undefined
      ? undefined
      : resolveAddress(options.publicUrl, io.env, '--public-url').origin
  const registrations: Registration[] = []
  for (const name of new Set(names)) registrations.push(await register(name, io))

  const print = (...parts: readonly string[]) => {
    const time = new Date(io.now()).toISOString().slice(11, 19)
    io.out([time, ...parts.map((part) => printable(part, 200))].join('  '))
  }
  const server = await start({
    providers: registrations.map(({ provider }) => provider),
    secrets: Object.fromEntries(registrations.map(({ provider, secret }) => [provider.name, secret])),
    publisher: to === undefined ? printOnly : createCloudEventsPublisher({ url: to.href }),
    port,
    publicUrl,
    observe({ provider, outcome, status, code, reason, kind }) {
      // An accepted delivery has a line for each event.
      if (outcome === 'accepted') return
      const name = kind === undefined ? provider : `${provider}/${kind}`
      print(name, String(status), outcome, ...[code, reason].filter((part) => part !== undefined))
    },
    onAttempt({ event, attempts, outcome }) {
      if (outcome.status === 'done') print(event.name, 'published', event.id)
      else if ('error' in outcome) print(event.name, outcome.status, `attempt ${attempts}`, outcome.error)
    },
    onError: (error) => {
      io.err(printable(error instanceof Error ? error.message : String(error)))
    },
  })
  // A reader of the lines below may press Ctrl-C at once.
  const signal = io.catchInterrupt?.() ?? new AbortController().signal
  const origin = `http://localhost:${server.port}`
  for (const { provider, secret, from } of registrations) {
    io.err(`${provider.name}: ${publicUrl ?? origin}/webhooks/${provider.name}`)
    for (const line of secret.trim().split('\n')) io.err(`  ${line}`)
    io.err(`  from ${from}`)
  }
  io.err(to === undefined ? 'Events are printed; --to sends them to your server' : `Events go to ${to.href}`)
  io.err(
    server.hasConsole
      ? `Console: ${origin}/console/`
      : 'The console is not built: run npm run build in the checkout',
  )
  io.err('Deliveries are kept in memory until Ctrl-C')

  if (!signal.aborted) await once(signal, 'abort')
  await server.stop()
  return success
}

/** Finds the secret of a provider as the server does, or creates one of this machine. */
async function register(name: string, io: Io): Promise<Registration> {
  const provider = await findProvider(name, io.env)
  const given = await lookUpSecret(provider, io.env)
  if (given) return { provider, secret: given.value, from: given.from }
  const local = await getLocalSecret(provider, io)
  if (local) return { provider, secret: local.verify, from: getLocalSecretsPath(io.env) }
  throw new CommandError(
    usage,
    `Missing secret for ${name}`,
    `Only the service can sign, so that no secret can be generated: set ${secretName(name)}.`,
  )
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new CommandError(usage, 'The port is not valid', 'Use --port 3111.')
}

async function start(options: DevelopmentServerOptions) {
  try {
    return await startDevelopmentServer(options)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new CommandError(
      usage,
      `Another program uses port ${options.port}`,
      'Choose another one with --port.',
    )
  }
}

const printOnly: Publisher = { publish: (events) => Promise.resolve(events.map(() => ({ ok: true }))) }
