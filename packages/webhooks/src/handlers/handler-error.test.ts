import { describe, expect, it } from 'vitest'
import { HandlerError } from '../index.ts'
import { toHandlerFailure } from './handler-error.ts'

const failed = { ok: false, retryable: true }

describe('the failure of a handler', () => {
  it.each([
    ['TypeError', new TypeError('private')],
    ['Error ECONNREFUSED', Object.assign(new Error('private'), { code: 'ECONNREFUSED' })],
    ['Unknown error', 'private'],
    ['Unknown error', { message: 'private' }],
  ])('is %s without the message of the error', (error, thrown) => {
    expect(toHandlerFailure(thrown)).toEqual({ ...failed, error })
  })

  it('has the text, the delay and the end of the retries of a HandlerError', () => {
    const error = new HandlerError('The order was deleted', { retryable: false, retryAfterMs: 5000 })
    const failure = { ok: false, retryable: false, retryAfterMs: 5000, error: 'The order was deleted' }
    expect(toHandlerFailure(error)).toEqual(failure)
    const cause = new Error('private', { cause: error })
    expect(toHandlerFailure(new Error('private', { cause }))).toEqual(failure)
  })

  it.each([
    ['a'.repeat(501), 'a'.repeat(500)],
    [`${'a'.repeat(499)}😀`, `${'a'.repeat(499)}\ufffd`],
    ['one\ntwo\u0000\u202e', 'one two'],
    [' \n', 'HandlerError'],
  ])('has a text that can be stored and shown: %j', (message, error) => {
    expect(toHandlerFailure(new HandlerError(message))).toEqual({ ...failed, error })
  })

  it('has the delay of any error', () => {
    const error = Object.assign(new Error('private'), { retryAfterMs: 1000 })
    expect(toHandlerFailure(error)).toEqual({ ...failed, error: 'Error', retryAfterMs: 1000 })
  })

  it('knows the error of another copy of the package', () => {
    const brand = Symbol.for('@sallyport/webhooks.HandlerError')
    const error = Object.assign(new Error('A text'), { [brand]: true, retryable: false })
    expect(toHandlerFailure(error)).toMatchObject({ retryable: false, error: 'A text' })
  })

  it('ends the search in a circle of causes', () => {
    const circle = new Error('private')
    circle.cause = circle
    expect(toHandlerFailure(circle)).toEqual({ ...failed, error: 'Error' })
  })

  it.each(['message', 'retryable'])('exists if the %s of a HandlerError throws', (member) => {
    const error = new HandlerError('A text')
    Object.defineProperty(error, member, {
      get() {
        throw new Error('private')
      },
    })
    expect(toHandlerFailure(error)).toEqual({ ...failed, error: 'HandlerError' })
  })

  it.each(['name', 'code', 'cause', 'retryAfterMs'])('exists if the %s of the error throws', (member) => {
    const error = new Error('private')
    Object.defineProperty(error, member, {
      get() {
        throw new Error('private')
      },
    })
    expect(toHandlerFailure(error)).toMatchObject(failed)
  })
})
