/** A value, or a promise of the value. */
export type MaybePromise<T> = T | Promise<T>

/** Reports whether a value is a promise or another thenable. */
export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as Partial<PromiseLike<unknown>> | null | undefined)?.then === 'function'

/**
 * Prevents an unhandled rejection of a promise that no caller awaits.
 *
 * @returns whether the value was a promise
 */
export function ignoreRejection(value: unknown): boolean {
  if (!isThenable(value)) return false
  Promise.resolve(value).catch(() => undefined)
  return true
}

/** Calls a callback of the application and ignores its errors, synchronous or not. */
export function callHook<Arguments extends readonly unknown[]>(
  hook: ((...given: Arguments) => unknown) | undefined,
  ...given: Arguments
): void {
  try {
    ignoreRejection(hook?.(...given))
  } catch {
    // The reported work is done: an error of the callback must not undo it.
  }
}
