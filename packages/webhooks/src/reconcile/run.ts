import type { RecordingGateway } from '../gateway/gateway-contract.ts'
import type { OperatorInbox } from '../ports/ports.ts'
import type { MissedDelivery, MissedEvent, ReconcileSource } from './source.ts'
import type { AskedRedelivery, ReconcileRun, ReconcileState } from './store.ts'

/** The part of the inbox that finds what arrived. */
type ReconcileInbox = Pick<OperatorInbox, 'list'>

export interface RunOptions {
  readonly source: ReconcileSource
  readonly inbox: ReconcileInbox
  readonly gateway: Pick<RecordingGateway, 'reprocess'>
  /** The pause before the second request for a redelivery, in milliseconds; each further one doubles it. */
  readonly retryMs: number
  readonly now: () => number
  readonly newId: () => string
  /** Stores the state, and throws if the lease is lost. */
  readonly save: (state: ReconcileState) => Promise<void>
  readonly signal: AbortSignal
}

/** Redeliveries that may be under way: more would be a burst for the gateway after an outage. */
export const maxAsked = 200
const maxAttempts = 5
const maxIds = 100
/** A redelivery or record is repeated after a crash, so that a state is stored only sometimes. */
const itemsPerSave = 20

/** Thrown when no further redelivery may be asked for now. */
export class AskedEnough extends Error {
  override readonly name = 'AskedEnough'
}

/** Says whether the service refused one redelivery only. It answers 404 to the first one if the token may not ask for any. */
function concernsOne(error: unknown, times: number): boolean {
  const { code } = Object(error) as { readonly code?: unknown }
  return (
    code === 'HTTP_409' || code === 'HTTP_410' || code === 'HTTP_422' || (code === 'HTTP_404' && times > 1)
  )
}

/** Creates the functions of one run. `getState` returns the state so far. */
export function createRun(options: RunOptions, start: ReconcileState, open: ReconcileRun) {
  const { source, inbox, gateway, retryMs, now, newId, save, signal } = options
  let state: ReconcileState = { ...start, open }
  let run = open
  let unsaved = 0

  const change = (next: Partial<ReconcileState>) => {
    state = { ...state, ...next }
  }
  const changeRun = (next: Partial<ReconcileRun>) => {
    run = { ...run, ...next }
    change({ open: run })
  }
  const store = async () => {
    unsaved = 0
    await save(state)
  }

  const without = (id: string) => state.asked.filter((one) => one.id !== id)

  async function isKnown(id: string): Promise<boolean> {
    const { provider, endpoint } = source
    const filter = { provider, value: id, ...(endpoint !== undefined && { endpoint }) }
    return (await inbox.list({ ...filter, limit: 1 })).length > 0
  }

  /** Looks for the redeliveries of earlier, and asks again for those that did not arrive. */
  async function confirm(): Promise<void> {
    if (run.isDry) return
    for (const one of state.asked) {
      signal.throwIfAborted()
      if (await isKnown(one.id)) change({ asked: without(one.id), recovered: state.recovered + 1 })
      else if (now() - one.at >= retryMs * 2 ** (one.times - 1)) {
        if (one.times >= maxAttempts)
          change({ asked: without(one.id), abandoned: state.abandoned + 1, abandonedAt: now() })
        else await ask(one, one.times + 1)
      }
    }
    if (start.asked.length > 0) await store()
  }

  async function ask({ id, ref }: Pick<AskedRedelivery, 'id' | 'ref'>, times: number): Promise<void> {
    let hasArrived = false
    try {
      hasArrived = (await source.redeliver?.(ref, signal)) ?? false
    } catch (error) {
      // The other deliveries do not wait for one that the service cannot send now.
      if (!concernsOne(error, times)) throw error
    }
    if (hasArrived) await settleAsked(id)
    else change({ asked: [...without(id), { id, ref, times, at: now() }] })
  }

  /** Ends the request for a delivery that has arrived. The gateway may have ignored it. */
  async function settleAsked(id: string): Promise<void> {
    const isRecovered = await isKnown(id)
    change({ asked: without(id), recovered: state.recovered + Number(isRecovered) })
  }

  const addMissed = (id: string) => {
    changeRun({ missed: run.missed + 1, ...(run.ids.length < maxIds && { ids: [...run.ids, id] }) })
  }

  async function redeliver({ id, ref, at, isDelivered }: MissedDelivery): Promise<void> {
    const isAsked = state.asked.some((one) => one.id === id)
    if (isDelivered && isAsked && !run.isDry) await settleAsked(id)
    // A redelivery that failed is an attempt of its own in the list.
    if (isDelivered || isAsked || (await isKnown(id))) return
    if (!run.isDry) {
      changeRun({ position: Math.max(run.position, Math.min(at, run.until)) })
      if (state.asked.length >= maxAsked) throw new AskedEnough()
      await ask({ id, ref }, 1)
    }
    addMissed(id)
  }

  async function feed({ id, body, headers }: MissedEvent): Promise<void> {
    const { isDry } = run
    if (isDry && (await isKnown(id))) return
    const { outcome, reason } = await gateway.reprocess({
      ...{ id: newId(), provider: source.provider, endpoint: source.endpoint, isVerified: true, body },
      headers: new Headers(headers ?? { 'content-type': 'application/json' }),
      ...{ receivedAt: now(), recoveredBy: source.name, isDry },
    })
    if (outcome === 'refused')
      throw Object.assign(new Error('The gateway refused an event'), { code: reason })
    if (outcome === 'accepted' || outcome === 'quarantined') addMissed(id)
    if (outcome !== 'accepted' || isDry) return
    changeRun({ recovered: run.recovered + 1 })
    change({ recovered: state.recovered + 1 })
  }

  /** Reads the window. */
  async function read(): Promise<void> {
    const checked = async (until: number) => {
      changeRun({ position: Math.min(Math.max(run.position, until), run.until) })
      await store()
    }
    const window = { since: run.position, until: run.until, signal, checked }
    const settle = async () => {
      signal.throwIfAborted()
      if (++unsaved >= itemsPerSave) await store()
    }
    if (source.redeliver)
      for await (const missed of source.list(window)) {
        await redeliver(missed)
        await settle()
      }
    else
      for await (const missed of source.list(window)) {
        await feed(missed)
        await settle()
      }
  }

  return { confirm, read, getState: () => state }
}
