import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { samples } from '@sallyport/providers/codehost/samples'

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
  const stopped = new AbortController()
  const isStopped = (): boolean => stopped.signal.aborted
  const began = performance.now()

  /** Sends one delivery. Returns whether its response acknowledges it. */
  async function post({ id, headers, body }: Signed): Promise<boolean> {
    requests += 1
    sent.add(id)
    try {
      const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(20_000)])
      const response = await fetch(`${base}/webhooks/codehost`, { method: 'POST', headers, body, signal })
      const { data, error } = (await response.json()) as Answer
      const said = `${response.status} ${data?.status ?? error?.code ?? ''}`
      answers.set(said, (answers.get(said) ?? 0) + 1)
      for (const event of data?.events ?? [])
        acknowledged.set(event.id, (acknowledged.get(event.id) ?? 0) + 1)
      return data?.events[0]?.id === id
    } catch {
      // The server was killed, or the senders have stopped.
      return false
    }
  }

  /** Sends at an even pace; a late sender does not catch up in a burst of its own. */
  async function run(): Promise<void> {
    const pauseMs = (senders / rate) * 1000
    while (!isStopped()) {
      const number = next++
      const delivery = getDelivery(number, secret)
      for (let wanted = wantedFor(number); wanted > 0 && !isStopped();) {
        const pause = setTimeout(pauseMs)
        if (await post(delivery)) wanted -= 1
        await pause
      }
    }
  }

  const running = Array.from({ length: senders }, run)
  return {
    sent,
    acknowledged,
    answers,
    async stop() {
      stopped.abort()
      await Promise.all(running)
      return { requests, seconds: (performance.now() - began) / 1000 }
    },
  }
}

interface Answer {
  readonly data?: { readonly status: string; readonly events: readonly { readonly id: string }[] }
  readonly error?: { readonly code: string }
}

const wantedFor = (number: number) => (number % 10 === 0 ? 2 : 1)

const [run, published] = [
  samples.sample('workflow_run.completed'),
  samples.sample('package.published'),
] as unknown as [
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
