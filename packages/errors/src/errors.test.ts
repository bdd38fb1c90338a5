import { describe, expect, it } from 'vitest'
import {
  CodedError,
  codedResponse,
  isSallyportError,
  SallyportError,
  statusByCode,
  toErrorResponse,
} from './index.ts'
import { codeForStatus } from './codes.ts'

describe('codes', () => {
  it('are upper case and have error statuses', () => {
    for (const [code, status] of Object.entries(statusByCode)) {
      expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(600)
    }
  })

  it.each([400, 401, 403, 404, 405, 406, 408, 409, 410, 412, 413, 414, 415, 422, 429, 431, 501, 503])(
    'has a generic code of the same status for %i',
    (status) => {
      expect(statusByCode[codeForStatus(status)]).toBe(status)
    },
  )

  it('returns the most generic code of a status', () => {
    const generic = [400, 401, 403, 404, 409, 422, 503].map(codeForStatus)
    expect(generic).toEqual([
      'BAD_REQUEST',
      'INVALID_TOKEN',
      'FORBIDDEN',
      'NOT_FOUND',
      'CONFLICT',
      'VALIDATION_FAILED',
      'SERVICE_UNAVAILABLE',
    ])
  })

  it('falls back to the status class for an unlisted status', () => {
    expect(codeForStatus(418)).toBe('BAD_REQUEST')
    expect(codeForStatus(599)).toBe('INTERNAL_ERROR')
  })
})

describe('SallyportError', () => {
  it('takes its status from the code unless the options set one', () => {
    expect(new SallyportError('EMAIL_TAKEN', 'x').status).toBe(409)
    expect(new SallyportError('VALIDATION_ERROR', 'x', { status: 422 }).status).toBe(422)
    expect(new SallyportError('A_CODE_OF_MINE', 'x').status).toBe(500)
  })

  it('recognizes an error from another copy of the package', () => {
    const foreign = Object.assign(new Error('from the other copy'), {
      code: 'NOT_FOUND',
      status: 404,
      headers: {},
    })
    expect(isSallyportError(foreign)).toBe(false)
    Object.defineProperty(foreign, Symbol.for('@sallyport/errors.SallyportError'), { value: true })
    expect([isSallyportError(foreign), foreign instanceof SallyportError]).toEqual([true, true])
  })

  it('does not recognize an object that is parsed from JSON', () => {
    expect(isSallyportError(JSON.parse('{"code":"NOT_FOUND","status":404,"message":"x"}'))).toBe(false)
  })
})

describe('CodedError', () => {
  it('is an instance of SallyportError but not of a subclass', () => {
    class OwnError extends SallyportError {}
    const coded = new CodedError(404, 'NOT_FOUND', 'x')
    expect([isSallyportError(coded), coded instanceof SallyportError]).toEqual([true, true])
    expect(coded instanceof OwnError).toBe(false)
    expect(new OwnError('NOT_FOUND', 'x') instanceof OwnError).toBe(true)
    expect(new Error('x') instanceof SallyportError).toBe(false)
    expect(Object(null) instanceof SallyportError).toBe(false)
  })

  it('has the same response as a SallyportError with the same code', () => {
    const details = [{ field: 'email', message: 'Required' }]
    const more = { headers: { Allow: 'POST' }, details, cause: new Error('inside') }
    const coded = new CodedError(405, 'METHOD_NOT_ALLOWED', 'Use POST', more)
    const looked = new SallyportError('METHOD_NOT_ALLOWED', 'Use POST', more)
    for (const answer of [toErrorResponse, codedResponse]) expect(answer(coded)).toEqual(answer(looked))
    expect([coded.name, coded.cause]).toEqual([looked.name, looked.cause])
  })
})

describe('codedResponse', () => {
  it.each([
    Object.assign(new Error('request entity too large: /etc'), { status: 413, expose: true }),
    new CodedError(500, 'INTERNAL_ERROR', 'the inside'),
    new TypeError('the inside'),
    undefined,
  ])('answers 500 without internal details for %s', (thrown) => {
    expect(codedResponse(thrown)).toEqual({
      status: 500,
      headers: {},
      body: { error: { code: 'INTERNAL_ERROR', message: 'An unexpected error occurred' } },
    })
  })
})

describe('toErrorResponse', () => {
  it('uses the status, headers and message of the error', () => {
    const error = new SallyportError('METHOD_NOT_ALLOWED', 'Use POST', {
      headers: { Allow: 'POST' },
      cause: new Error('inside'),
    })
    expect(toErrorResponse(error)).toEqual({
      status: 405,
      headers: { Allow: 'POST' },
      body: { error: { code: 'METHOD_NOT_ALLOWED', message: 'Use POST' } },
    })
  })

  it('lists details', () => {
    const details = [{ field: 'email', message: 'Required' }]
    expect(
      toErrorResponse(new SallyportError('VALIDATION_ERROR', 'Invalid', { details })).body.error.details,
    ).toEqual(details)
  })

  it.each([
    new Error('password=hunter2'),
    Object.assign(new Error('at db.ts:12'), { status: 500 }),
    Object.assign(new Error('too much'), { status: 600 }),
    Object.assign(new Error('odd'), { status: 200 }),
    Object.assign(new Error('odd'), { status: '404' }),
    new SallyportError('INTERNAL_ERROR', 'the inside'),
    'a string',
    undefined,
    null,
  ])('hides internal details: %s', (thrown) => {
    expect(toErrorResponse(thrown)).toEqual({
      status: 500,
      headers: {},
      body: { error: { code: 'INTERNAL_ERROR', message: 'An unexpected error occurred' } },
    })
  })

  it('keeps the 4xx status of a framework error and shows its message only if it is exposed', () => {
    const hidden = Object.assign(new Error('request entity too large: /etc'), { statusCode: 413 })
    expect(toErrorResponse(hidden).body.error).toEqual({
      code: 'PAYLOAD_TOO_LARGE',
      message: 'The request was refused',
    })
    const shown = Object.assign(new Error('Use JSON'), { status: 415, expose: true })
    expect(toErrorResponse(shown)).toMatchObject({
      status: 415,
      body: { error: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Use JSON' } },
    })
  })

  it.each([
    [502, 'INTERNAL_ERROR'],
    [503, 'SERVICE_UNAVAILABLE'],
    [599, 'INTERNAL_ERROR'],
  ])('keeps the status %i of a framework error and hides its message', (status, code) => {
    const error = Object.assign(new Error('upstream 10.0.0.1'), { status, expose: true })
    expect(toErrorResponse(error)).toEqual({
      status,
      headers: {},
      body: { error: { code, message: 'An unexpected error occurred' } },
    })
  })
})
