import { SallyportError } from '@sallyport/errors'
import { expect, it } from 'vitest'
import * as refusals from './refusals.ts'

const { methodNotAllowed, rateLimited, endpointRateLimited, payloadTooLarge, ...others } = refusals

it.each([
  methodNotAllowed(['POST']),
  rateLimited(1),
  endpointRateLimited(1),
  payloadTooLarge(1),
  ...Object.values(others).map((refusal) => refusal('a message')),
])('has the status of its code: $code', ({ code, status }) => {
  expect(new SallyportError(code, 'x').status).toBe(status)
})
