import { isSallyportError, SallyportError, toErrorResponse } from '@sallyport/errors'
import { defineCases, expectEqual } from './case.ts'

export const errorCases = defineCases('errors', {
  'converts an error into its envelope'() {
    const details = [{ field: 'items.0.name', message: 'is missing' }]
    const { status, headers, body } = toErrorResponse(
      new SallyportError('VALIDATION_ERROR', 'The input is not valid', { details, headers: { 'X-A': 'b' } }),
    )
    const error = { code: 'VALIDATION_ERROR', message: 'The input is not valid', details }
    expectEqual([status, headers, body], [400, { 'X-A': 'b' }, { error }])
  },
  'hides internal errors'() {
    const { status, body } = toErrorResponse(new Error('postgres://user:password@host'))
    expectEqual(
      [status, body.error.code, body.error.message.includes('password')],
      [500, 'INTERNAL_ERROR', false],
    )
  },
  'recognizes an error by its brand'() {
    expectEqual(
      [isSallyportError(new SallyportError('NOT_FOUND', 'no')), isSallyportError(new Error())],
      [true, false],
    )
  },
})
