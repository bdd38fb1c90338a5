import type { MaybePromise } from './ports.ts'

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

/** Whether a value is a promise, where none is allowed; its rejection is nobody's then, and would end the process. */
export function letGo(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('then' in value)) return false
  Promise.resolve(value).catch(() => undefined)
  return true
}
