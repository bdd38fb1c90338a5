import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { codehost } from '@sallyport/providers/codehost'
import { samples } from '@sallyport/providers/codehost/samples'

/** Deliveries of the code host's, sent one after the other by several senders until it is stopped. */
export interface Load {
  /** The ids of events whose delivery was answered with 200. */
  readonly acknowledged: Set<string>
  /** The ids of all events that were sent and signed. */
  readonly signed: Set<string>
  /** The runs whose deliveries were refused with 503, as they are sent again. */
  readonly refused: number[]
  /** How often each answer came: its status, and its outcome or code with Retry-After. */
  readonly answers: Map<string, number>
  /** How many requests ended without an answer; each ends its sender. */
  readonly cutOff: number
  /** Lets every sender finish what it is sending. */
  stop(): Promise<void>
}

interface LoadOptions {
  readonly base: string
  readonly secret: string
  /** The number of the first run; each has its own. */
  readonly first?: number
  /** @default 16 */
  readonly senders?: number
  /** Bytes that no compression makes smaller, in every body. @default none */
  readonly padding?: number
  /** Whether nothing is forged and nothing comes twice. @default false */
  readonly genuine?: boolean
  /** The longest pause of a sender between two deliveries, in milliseconds; its connection is idle then. @default 0 */
  readonly pauseMs?: number
}

/** The id of the event of a run. */
export const getId = (run: number): string => `codehost:workflow_run.completed:${run}:1`

/** The delivery of a run as the code host would send it. */
export async function getDelivery(
  run: number,
  secret: string,
  padding = 0,
): Promise<{ headers: Record<string, string>; body: Buffer<ArrayBuffer> }> {
  const { headers, body } = samples.sample('workflow_run.completed')
  const { workflow_run: recorded, ...rest } = body as { workflow_run: object }
  const payload = {
    ...rest,
    workflow_run: { ...recorded, id: run, run_attempt: 1 },
    padding: randomBytes(padding).toString('base64'),
  }
  const bytes = Buffer.from(JSON.stringify(payload))
  const unsigned = { method: 'POST', headers: new Headers(headers), body: bytes }
  return { headers: { ...headers, ...(await codehost.signature.sign(unsigned, secret, 0)) }, body: bytes }
}

/** Sends one run's delivery; answers its status, and its outcome or code with Retry-After. */
export async function sendRun(
  { base, secret, padding }: LoadOptions,
  run: number,
  { forged = false } = {},
): Promise<{ status: number; said: string }> {
  const { headers, body } = await getDelivery(run, forged ? `not ${secret}` : secret, padding)
  const response = await fetch(`${base}/webhooks/codehost`, {
    method: 'POST',
    // Each delivery has another client address, so that forged deliveries reach the signature check.
    headers: { ...headers, 'x-forwarded-for': `10.${run >> 16}.${(run >> 8) & 255}.${run & 255}` },
    body,
  })
  const { data, error } = (await response.json()) as { data?: { status: string }; error?: { code: string } }
  const retryAfter = response.headers.get('retry-after')
  const said = `${response.status} ${data?.status ?? error?.code ?? ''}`
  return { status: response.status, said: retryAfter === null ? said : `${said} after ${retryAfter}` }
}

/** One delivery in five is forged, and one comes twice at once, or none; the server has to trust a proxy. */
export function startLoad(options: LoadOptions): Load {
  const { first = 1, senders = 16, genuine = false, pauseMs = 0 } = options
  const acknowledged = new Set<string>()
  const signed = new Set<string>()
  const refused: number[] = []
  const answers = new Map<string, number>()
  let next = first
  let stopped = false
  let cutOff = 0

  async function attempt(run: number, forged: boolean): Promise<void> {
    if (!forged) signed.add(getId(run))
    const { status, said } = await sendRun(options, run, { forged })
    answers.set(said, (answers.get(said) ?? 0) + 1)
    if (status === 200) acknowledged.add(getId(run))
    if (status === 503) refused.push(run)
  }

  async function send(): Promise<void> {
    while (!stopped) {
      const run = next++
      const copies = !genuine && run % 5 === 1 ? 2 : 1
      const attempts = Array.from({ length: copies }, () => attempt(run, !genuine && run % 5 === 0))
      const ended = await Promise.allSettled(attempts)
      const lost = ended.filter(({ status }) => status === 'rejected').length
      cutOff += lost
      if (lost > 0) return
      if (pauseMs > 0) await sleep((pauseMs * (run % senders)) / senders)
    }
  }

  const sending = Promise.all(Array.from({ length: senders }, send))
  return {
    acknowledged,
    signed,
    refused,
    answers,
    get cutOff() {
      return cutOff
    },
    async stop() {
      stopped = true
      await sending
    },
  }
}
