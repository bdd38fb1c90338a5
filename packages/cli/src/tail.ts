import { connect } from './connection.ts'
import { streamDeliveries, type StreamedDelivery } from './delivery-stream.ts'
import { toQuery } from './filters.ts'
import { printable, printableJsonLine, success, type Io } from './io.ts'

export interface TailOptions {
  readonly url?: string
  readonly token?: string
  readonly provider?: string
  readonly endpoint?: string
  readonly kind?: string
  readonly status?: string
  /** Starts with the deliveries since a time. @default new deliveries */
  readonly since?: string
  /** @default false */
  readonly json?: boolean
}

/**
 * Prints deliveries as a server records them, until Ctrl-C.
 *
 * @throws CommandError if an argument is invalid or the server rejects the request
 */
export async function tail(options: TailOptions, io: Io): Promise<number> {
  const query = toQuery(options, io.now())
  const connection = await connect(options, io)
  const signal = io.catchInterrupt?.() ?? new AbortController().signal
  io.err(`Waiting for deliveries of ${connection.resolve('').origin}; Ctrl-C ends`)
  for await (const delivery of streamDeliveries(connection, { query, signal, report: io.err }, io)) {
    const { id, provider: name, kind: what, status: state, created_at } = delivery
    if (options.json === true) io.out(printableJsonLine(delivery))
    else
      io.out(
        [created_at, `${name}/${what ?? '-'}`, ...toCustomer(delivery), state, id]
          .map((text) => printable(text, 200))
          .join('  '),
      )
  }
  return success
}

/** The name of the endpoint, or its id. */
const toCustomer = ({ endpoint, endpoint_name: name }: StreamedDelivery): readonly string[] =>
  endpoint == null ? [] : [name ?? endpoint]
