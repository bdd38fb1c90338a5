import { describe, expect, it } from 'vitest'
import { CommandError } from './io.ts'
import { parseOutcome, type ServerResponse } from './response.ts'

const answer = (status: number, body: unknown, headers: Record<string, string> = {}): ServerResponse => ({
  status,
  headers: new Headers(headers),
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

/** Returns the message of the error and its hints. */
function getMessages(given: ServerResponse): readonly string[] {
  try {
    parseOutcome(given, 'codehost', { value: 'secret', from: 'here' })
  } catch (error) {
    if (error instanceof CommandError && error.exitCode === 1) return [error.message, ...error.hints]
    throw error
  }
  throw new Error('The response was not rejected')
}

const refusal = (code: string, message = 'words') => ({ error: { code, message } })

describe('parseOutcome', () => {
  it('parses the outcome of a delivery', () => {
    const data = { status: 'accepted', events: [{ id: 'i', name: 'n', duplicate: false }] }
    expect(parseOutcome(answer(200, { data }), 'codehost', { value: 'secret', from: 'here' })).toEqual(data)
  })

  it.each([
    [401, 'INVALID_SIGNATURE', /another secret than here/],
    // A wrong address or time also fails the verification.
    [401, 'INVALID_SIGNATURE', /address.*PUBLIC_URL.*--url.*time.*--fresh/],
    [404, 'UNKNOWN_PROVIDER', /WEBHOOK_SECRET_CODEHOST.*PROVIDERS.*restart/],
    [413, 'PAYLOAD_TOO_LARGE', /WEBHOOK_BODY_LIMIT/],
    [429, 'RATE_LIMITED', /failed verification/],
    [503, 'INBOX_UNAVAILABLE', /server's log/],
  ])('explains how to resolve %i %s', (status, code, hint) => {
    expect(getMessages(answer(status, refusal(code)))).toEqual([
      `${status} ${code}: words`,
      expect.stringMatching(hint),
    ])
  })

  it('shows when to retry', () => {
    const when = (retryAfter: string) =>
      getMessages(answer(429, refusal('RATE_LIMITED'), { 'retry-after': retryAfter })).at(-1)
    expect(when('17')).toBe('Try again in 17 s.')
    expect(when('Wed, 21 Oct 2026 07:28:00 GMT')).toBe('Try again at Wed, 21 Oct 2026 07:28:00 GMT.')
  })

  it('shows an unknown error code', () => {
    expect(getMessages(answer(418, refusal('TEAPOT')))).toEqual(['418 TEAPOT: words'])
  })

  it.each([
    [200, 'OK'],
    [200, { data: { status: 'fine', events: [] } }],
    [404, '<html></html>'],
    [502, ''],
    [500, { error: 'no envelope' }],
  ])('reports that the response %i %j is not a response of a gateway', (status, body) => {
    expect(getMessages(answer(status, body))[0]).toBe(
      `${status}, and the response is not that of a webhook gateway`,
    )
  })

  it('removes control characters and shortens long text', () => {
    const [message] = getMessages(
      answer(400, refusal('CODE\u001b[31m', `a\nb\u0007\u202e${'c'.repeat(1000)}`)),
    )
    expect(message).toMatch(/^400 CODE \[31m: a b c{490,}…$/)
  })
})
