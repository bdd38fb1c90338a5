/** Writes the effects of an event. The transaction commits after the step has resolved, and rolls back when it rejects. */
export type CommitStep<Tx> = (transaction: Tx) => unknown

/**
 * Prepares the effects of an event outside of any transaction, such as with requests, and returns the short step that writes
 * them. Without a step, the event has no effects.
 */
export type Prepare<Event, Tx> = (
  event: Event,
  signal: AbortSignal,
) => Promise<CommitStep<Tx> | undefined> | CommitStep<Tx> | undefined

/** Runs work in a transaction that rolls back when the work rejects. */
export type RunInTransaction<Tx> = (work: (transaction: Tx) => Promise<void>) => Promise<void>

const nothing = () => undefined

/** @throws TypeError for a result that is not a step, and the error of the handler */
export async function prepareStep<Event, Tx>(
  prepare: Prepare<Event, Tx>,
  event: Event,
  signal: AbortSignal,
): Promise<CommitStep<Tx>> {
  const step = (await prepare(event, signal)) ?? nothing
  if (typeof step !== 'function')
    throw new TypeError(
      'The handler must return the step that writes its effects, such as (transaction) => …',
    )
  signal.throwIfAborted()
  return step
}

/**
 * Runs a step until it ends or its signal aborts, so that a step that never ends gives its connection back.
 *
 * @throws the reason of the signal, also when the step ignores it, and the error of the step
 */
export async function runStep<Tx>(step: CommitStep<Tx>, transaction: Tx, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => {
    reject(signal.reason as Error)
  }
  signal.addEventListener('abort', abort)
  try {
    await Promise.race([step(transaction), aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
