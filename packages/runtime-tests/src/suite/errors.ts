import { isSallyportError, SallyportError, toErrorResponse } from '@sallyport/errors'
import { casesOf, equal } from './case.ts'

export const errorCases = casesOf('errors', {
  'an error is answered with its envelope'() {
    const details = [{ field: 'items.0.name', message: 'is missing' }]
    const { status, headers, body } = toErrorResponse(
      new SallyportError('VALIDATION_ERROR', 'The input is not valid', { details, headers: { 'X-A': 'b' } }),
    )
    const error = { code: 'VALIDATION_ERROR', message: 'The input is not valid', details }
    equal([status, headers, body], [400, { 'X-A': 'b' }, { error }])
  },
  'nothing of the inside leaves'() {
    const { status, body } = toErrorResponse(new Error('postgres://user:password@host'))
    equal([status, body.error.code, body.error.message.includes('password')], [500, 'INTERNAL_ERROR', false])
  },
  'an error is known by its brand'() {
    equal(
      [isSallyportError(new SallyportError('NOT_FOUND', 'no')), isSallyportError(new Error())],
      [true, false],
    )
  },
})
