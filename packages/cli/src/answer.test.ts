import { describe, expect, it } from 'vitest'
import { outcomeOf, type Answer } from './answer.ts'
import { CommandError } from './io.ts'

const answer = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: new Headers(headers),
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

/** What the user reads: the message, then what to do. */
function complaint(given: Answer): readonly string[] {
  try {
    outcomeOf(given, 'codehost', { value: 'secret', from: 'here' })
  } catch (error) {
    if (error instanceof CommandError && error.exitCode === 1) return [error.message, ...error.hints]
    throw error
  }
  throw new Error('It was not refused')
}

const refusal = (code: string, message = 'words') => ({ error: { code, message } })

describe('outcomeOf', () => {
  it('reads what became of a delivery', () => {
    const data = { status: 'accepted', events: [{ id: 'i', name: 'n', duplicate: false }] }
    expect(outcomeOf(answer(200, { data }), 'codehost', { value: 'secret', from: 'here' })).toEqual(data)
  })

  it.each([
    [401, 'INVALID_SIGNATURE', /another secret than here/],
    // Where the address or the time was why, a secret that was right was once called another one.
    [401, 'INVALID_SIGNATURE', /address.*PUBLIC_URL.*--url.*time.*--fresh/],
    [404, 'UNKNOWN_PROVIDER', /WEBHOOK_SECRET_CODEHOST.*PROVIDERS.*restart/],
    [413, 'PAYLOAD_TOO_LARGE', /WEBHOOK_BODY_LIMIT/],
    [429, 'RATE_LIMITED', /failed verification/],
    [503, 'INBOX_UNAVAILABLE', /server's log/],
  ])('tells what to do about %i %s', (status, code, hint) => {
    expect(complaint(answer(status, refusal(code)))).toEqual([
      `${status} ${code}: words`,
      expect.stringMatching(hint),
    ])
  })

  it('tells when to try again', () => {
    const when = (retryAfter: string) =>
      complaint(answer(429, refusal('RATE_LIMITED'), { 'retry-after': retryAfter })).at(-1)
    expect(when('17')).toBe('Try again in 17 s.')
    expect(when('Wed, 21 Oct 2026 07:28:00 GMT')).toBe('Try again at Wed, 21 Oct 2026 07:28:00 GMT.')
  })

  it('shows an unknown refusal as it is', () => {
    expect(complaint(answer(418, refusal('TEAPOT')))).toEqual(['418 TEAPOT: words'])
  })

  it.each([
    [200, 'OK'],
    [200, { data: { status: 'fine', events: [] } }],
    [404, '<html></html>'],
    [502, ''],
    [500, { error: 'no envelope' }],
  ])('says of %i %j that it is not a gateway’s', (status, body) => {
    expect(complaint(answer(status, body))[0]).toBe(
      `${status}, and the answer is not that of a webhook gateway`,
    )
  })

  it('lets nothing through to the terminal but text', () => {
    const [message] = complaint(answer(400, refusal('CODE\u001b[31m', `a\nb\u0007\u202e${'c'.repeat(1000)}`)))
    expect(message).toMatch(/^400 CODE \[31m: a b c{490,}…$/)
  })
})
