import { CodedError } from '@sallyport/errors'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import type { WebhookDatabase, WebhookInbox } from './database.ts'
import type { StartOptions, Webhooks } from './webhooks.ts'

/** A loop of the webhooks. */
interface Part {
  readonly start: (options?: StartOptions) => void
  readonly stop: (graceMs?: number) => unknown
}

export interface Parts {
  /** Run in every process. */
  readonly recording: readonly (Part | undefined)[]
  /** Run in processes that dispatch, with the dispatcher. */
  readonly dispatching: readonly (Part | undefined)[]
  readonly dispatcher: Dispatcher
  readonly inbox: Pick<WebhookInbox, 'known' | 'ping'>
  readonly onWork: WebhookDatabase['onWork']
  /** Aborted by `stop`. */
  readonly stopping: AbortController
}

/** Creates the functions that start and stop the parts. */
export function createLifecycle({
  recording,
  dispatching,
  dispatcher,
  inbox,
  onWork,
  stopping,
}: Parts): Pick<Webhooks, 'start' | 'stop' | 'ready'> {
  const publishing = [dispatcher, ...dispatching]
  let isStarted = false
  let unsubscribe: (() => void) | undefined
  return {
    start({ dispatch = true } = {}) {
      if (isStarted) return
      isStarted = true
      for (const part of recording) part?.start({ dispatch })
      if (dispatch) for (const part of publishing) part?.start()
      if (dispatch)
        unsubscribe = onWork?.((work) => {
          dispatcher.wake(work)
        })
    },
    async stop(graceMs) {
      isStarted = false
      stopping.abort()
      unsubscribe?.()
      const stop = async (part: Part | undefined) => {
        await part?.stop(graceMs)
      }
      await Promise.all([...recording, ...publishing].map(stop))
    },
    async ready() {
      if (!isStarted) throw new CodedError(503, 'NOT_STARTED', 'Call start() before deliveries arrive')
      // A ping also fails while the database can only be read.
      await (inbox.ping?.() ?? inbox.known(['ready']))
    },
  }
}
