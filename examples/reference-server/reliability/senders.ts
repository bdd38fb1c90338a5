import { createHmac } from 'node:crypto'
import { sample } from '@sallyport/providers/codehost/samples'
import autocannon from 'autocannon'

/** Services that each send one delivery after the other, and each until it is acknowledged. */
export interface Senders {
  /** The ids of all events that were sent. */
  readonly sent: ReadonlySet<string>
  /** The ids of events whose delivery was answered with 200, and how often it was. */
  readonly acknowledged: ReadonlyMap<string, number>
  /** How often each answer came: its status, and its outcome or code. */
  readonly answers: ReadonlyMap<string, number>
  /** Ends all of them, in the middle of what they send. */
  stop(): Promise<{ readonly requests: number; readonly seconds: number }>
}

export interface SendersOptions {
  readonly base: string
  readonly secret: string
  /** Deliveries a second, of all senders. */
  readonly rate: number
  readonly senders: number
}

interface Signed {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Sends runs, which a pilot brings through the queue, and packages, which it does not; one in ten once more. */
export function startSenders({ base, secret, rate, senders }: SendersOptions): Senders {
  const sent = new Set<string>()
  const acknowledged = new Map<string, number>()
  const answers = new Map<string, number>()
  let next = 1
  let requests = 0

  function begin(client: autocannon.Client): void {
    let number = next++
    let wanted = wantedFor(number)
    let delivery = getDelivery(number, secret)
    client.setRequests([
      {
        method: 'POST',
        path: '/webhooks/codehost',
        setupRequest(request) {
          requests += 1
          sent.add(delivery.id)
          return { ...request, headers: delivery.headers, body: delivery.body }
        },
        onResponse(status, text) {
          const { data, error } = JSON.parse(text) as Answer
          const said = `${status} ${data?.status ?? error?.code ?? ''}`
          answers.set(said, (answers.get(said) ?? 0) + 1)
          // The response names its delivery, so it cannot be mistaken for the response to an earlier one.
          for (const { id } of data?.events ?? []) acknowledged.set(id, (acknowledged.get(id) ?? 0) + 1)
          if (data?.events[0]?.id !== delivery.id || --wanted > 0) return
          number = next++
          wanted = wantedFor(number)
          delivery = getDelivery(number, secret)
        },
      },
    ])
  }

  const ended = Promise.withResolvers<autocannon.Result>()
  const load = autocannon(
    {
      ...{ url: base, connections: senders, overallRate: rate, timeout: 20 },
      // Until it is stopped.
      duration: 3600,
      setupClient: begin,
    },
    (error: Error | null, result) => {
      if (error) ended.reject(error)
      else ended.resolve(result)
    },
  )
  return {
    sent,
    acknowledged,
    answers,
    async stop() {
      load.stop()
      const { duration } = await ended.promise
      return { requests, seconds: duration }
    },
  }
}

interface Answer {
  readonly data?: { readonly status: string; readonly events: readonly { readonly id: string }[] }
  readonly error?: { readonly code: string }
}

const wantedFor = (number: number) => (number % 10 === 0 ? 2 : 1)

const [run, published] = [sample('workflow_run.completed'), sample('package.published')] as unknown as [
  { headers: Record<string, string>; body: { workflow_run: object } },
  { headers: Record<string, string>; body: { package: { package_version: object } } },
]

function getDelivery(number: number, secret: string): Signed {
  return number % 3 === 0
    ? sign(`codehost:workflow_run.completed:${number}:1`, secret, run.headers, {
        ...run.body,
        workflow_run: { ...run.body.workflow_run, id: number, run_attempt: 1 },
      })
    : sign(`codehost:package.published:${number}`, secret, published.headers, {
        ...published.body,
        package: {
          ...published.body.package,
          package_version: { ...published.body.package.package_version, id: number },
        },
      })
}

// Synchronous for the load tool. Follows the documents of the service and uses no code of the scheme.
function sign(id: string, secret: string, headers: Signed['headers'], payload: unknown): Signed {
  const body = Buffer.from(JSON.stringify(payload))
  const digest = createHmac('sha256', secret).update(body).digest('hex')
  return { id, headers: { ...headers, 'x-hub-signature-256': `sha256=${digest}` }, body }
}
