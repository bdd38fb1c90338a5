import type { MaybePromise } from '../ports/ports.ts'

/** Goes on at once where nothing has to be waited for: a promise for every delivery costs more than a comparison. */
export function whenAll<T, Result>(
  values: readonly MaybePromise<T>[],
  next: (values: readonly T[]) => Result,
): MaybePromise<Result> {
  return values.some((value) => value instanceof Promise)
    ? Promise.all(values).then(next)
    : next(values as readonly T[])
}

/** Goes on at once with a value, and with what a promise resolves to. */
export function whenReady<T, Result>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Whether a value has to be waited for: what others make may be a promise of another kind. */
export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as Partial<PromiseLike<unknown>> | null | undefined)?.then === 'function'

/** Whether a value is a promise, where none is allowed; its rejection is nobody's then, and would end the process. */
export function letGo(value: unknown): boolean {
  if (!isThenable(value)) return false
  Promise.resolve(value).catch(() => undefined)
  return true
}
