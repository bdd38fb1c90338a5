import { setTimeout as sleep } from 'node:timers/promises'
import type { AnyProvider } from '@sallyport/webhooks'
import { connect, type Connection } from '../connection.ts'
import { streamDeliveries, type StreamedDelivery } from '../delivery-stream.ts'
import { resolveAddress } from '../endpoint.ts'
import { toQuery } from '../filters.ts'
import { CommandError, failure, printable, printableJsonLine, success, usage, type Io } from '../io.ts'
import { findProvider } from '../provider.ts'
import { forwardDelivery, type LocalResult } from './forward-delivery.ts'
import { getLocalSecret, getLocalSecretsPath, type LocalSecret } from '../local-secret.ts'
import { fetchDelivery, fetchWhenAvailable, listDeliveries } from './sources.ts'

export interface ForwardOptions {
  /** The server that recorded the deliveries. @default SALLYPORT_URL, or the server of the login */
  readonly from?: string
  /** The local address; `{provider}` is replaced by the name of the provider. */
  readonly to: string
  readonly token?: string
  readonly provider?: string
  readonly endpoint?: string
  readonly kind?: string
  /** Forwards the deliveries since a time. @default new deliveries */
  readonly since?: string
  /** Forwards one delivery. */
  readonly id?: string
  /** Whether new deliveries follow those of `since`. @default true without `since` and `id` */
  readonly follow?: boolean
  /** @default false */
  readonly json?: boolean
}

/** A provider with the secret of this machine. */
interface Signer {
  readonly provider: AnyProvider
  readonly secret: LocalSecret | undefined
}

const concurrency = 4
/** How long running requests may take after Ctrl-C, in milliseconds. */
const graceMs = 3000

/**
 * Sends recorded deliveries to a local server, signed with a secret of this machine, and prints a line per delivery.
 *
 * @returns the exit code: 0 after Ctrl-C, and if the local server accepted all deliveries, otherwise 1
 * @throws CommandError if an argument is invalid or the server rejects a request
 */
export async function forward(options: ForwardOptions, io: Io): Promise<number> {
  if (options.id !== undefined && (options.since !== undefined || options.follow === true))
    throw new CommandError(usage, 'An id excludes filters', 'Omit --id, or --since and --follow.')
  const { to, from, token, provider } = options
  resolveTarget(to, 'provider')
  const query = toQuery(options, io.now())
  const source = { ...(from !== undefined && { url: from }), ...(token !== undefined && { token }) }
  const connection = await connect(source, io)
  const getSigner = createSigners(io)
  if (provider !== undefined) await getSigner(provider)

  const signal = io.catchInterrupt?.() ?? new AbortController().signal
  const running = new Set<Promise<void>>()
  const counts = { forwarded: 0, failed: 0 }
  const problems: Error[] = []
  const follows = options.follow ?? (options.since === undefined && options.id === undefined)
  const deliveries = selectDeliveries()

  async function* selectDeliveries(): AsyncGenerator<StreamedDelivery> {
    if (options.id !== undefined) yield await fetchDelivery(connection, options.id, io)
    else if (follows) {
      io.err(`Waiting for deliveries of ${connection.resolve('').origin}; Ctrl-C ends`)
      yield* streamDeliveries(connection, { query, signal, report: io.err }, io)
    } else yield* listDeliveries(connection, query, io)
  }

  async function handle(delivery: StreamedDelivery): Promise<void> {
    const signer = await getSigner(delivery.provider)
    const result = await transfer(connection, delivery, signer, { to, signal }, io)
    // The connection of an ended command is closed.
    if (result === undefined) return
    const isAccepted = 'status' in result && result.status < 300
    counts[isAccepted ? 'forwarded' : 'failed']++
    io.out(options.json === true ? formatJson(delivery, result, io) : formatLine(delivery, result, io))
  }

  for await (const delivery of deliveries) {
    if (signal.aborted) break
    const work: Promise<void> = handle(delivery)
      .catch((error: unknown) => {
        problems.push(error instanceof Error ? error : new Error(String(error)))
      })
      .finally(() => running.delete(work))
    running.add(work)
    if (running.size >= concurrency) await Promise.race(running)
    if (problems.length > 0) break
  }
  const rest = Promise.all(running)
  await (signal.aborted ? Promise.race([rest, sleep(graceMs)]) : rest)
  const [problem] = problems
  if (problem && !signal.aborted) throw problem
  io.err(`Forwarded: ${counts.forwarded}, failed: ${counts.failed}`)
  return counts.failed > 0 && !signal.aborted ? failure : success
}

/** Reads the content of a delivery and sends it; undefined if the command ends before. */
async function transfer(
  connection: Connection,
  { id }: StreamedDelivery,
  { provider, secret }: Signer,
  { to, signal }: { readonly to: string; readonly signal: AbortSignal },
  io: Io,
): Promise<LocalResult | undefined> {
  try {
    const { headers, query, bytes, body_state } = await fetchWhenAvailable(connection, id, signal, io)
    if (bytes === undefined) return { error: `The body is ${String(body_state)}`, durationMs: 0 }
    return await forwardDelivery(
      resolveTarget(to, provider.name),
      provider,
      { headers, query, body: bytes },
      secret,
      io,
    )
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}

/** Creates a function that returns the secret of a provider, and prints the secret at the first use. */
function createSigners(io: Io): (name: string) => Promise<Signer> {
  const signers = new Map<string, Promise<Signer>>()
  // The secrets are in one file, so that they are created one after the other.
  let last: Promise<unknown> = Promise.resolve()

  async function create(name: string): Promise<Signer> {
    const provider = await findProvider(name, io.env)
    const secret = await getLocalSecret(provider, io)
    if (secret === undefined) io.err(`${name}: only the service can sign; deliveries keep their own bytes`)
    else {
      io.err(
        `${name}: the local server verifies with ${secret.sign === secret.verify ? 'this secret' : 'this public key'}:`,
      )
      for (const line of secret.verify.trim().split('\n')) io.err(`  ${line}`)
      io.err(`  kept in ${getLocalSecretsPath(io.env)}`)
    }
    return { provider, secret }
  }

  return (name) => {
    const known = signers.get(name)
    if (known) return known
    const created = last.catch(() => undefined).then(() => create(name))
    last = created
    signers.set(name, created)
    return created
  }
}

const resolveTarget = (to: string, provider: string): URL =>
  resolveAddress(to.replaceAll('{provider}', encodeURIComponent(provider)), {}, '--to')

function formatLine({ provider, kind }: StreamedDelivery, result: LocalResult, io: Io): string {
  const time = new Date(io.now()).toISOString().slice(11, 19)
  const name = printable(`${provider}/${kind ?? '-'}`, 80)
  const outcome = 'status' in result ? String(result.status) : printable(result.error)
  return `${time}  ${name}  ${outcome}  ${result.durationMs} ms`
}

function formatJson(delivery: StreamedDelivery, result: LocalResult, io: Io): string {
  const { id, provider, kind = null } = delivery
  const outcome = 'status' in result ? { status: result.status } : { error: result.error }
  const time = new Date(io.now()).toISOString()
  return printableJsonLine({
    ...{ time, delivery: id, provider, kind },
    ...outcome,
    duration_ms: result.durationMs,
  })
}
