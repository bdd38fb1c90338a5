import { SallyportError } from '@sallyport/errors'
import type { SubscriptionService } from './service.ts'

/** @throws SallyportError `VALIDATION_ERROR` (400) for parameters that the service does not accept */
export function readParameters(service: SubscriptionService, parameters: unknown): unknown {
  const result = service.parameters['~standard'].validate(parameters)
  if (result instanceof Promise) throw new TypeError(`The parameters of ${service.name} are validated later`)
  if (!result.issues) return result.value
  const [issue] = result.issues
  const path = (issue?.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part))
  throw invalid(['parameters', ...path].join('.'), issue?.message ?? 'Cannot be used')
}

export const invalid = (field: string, message: string): SallyportError =>
  new SallyportError('VALIDATION_ERROR', `The ${field} of the subscription is not valid: ${message}`, {
    details: [{ code: 'INVALID_VALUE', field, in: 'body', message }],
  })
