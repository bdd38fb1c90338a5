import { describe, expect, it } from 'vitest'
import { redactHeaders } from './redact.ts'
import { plainHeaders } from '../testing/provider-options.ts'
import { hmac } from './hmac.ts'
import { signedId, signedTime, type SignedTimeOptions } from './stamps.ts'

const now = Date.UTC(2026, 0, 1)
const getReason = (text: string, options: SignedTimeOptions = {}, at = now) => {
  const read = signedTime({ header: 'x-time', ...options }).read(
    { headers: plainHeaders({ 'x-time': text }) },
    { signatures: [] },
    at,
  )
  return typeof read === 'string' ? 'read' : read.reason
}

describe('signedTime', () => {
  it('reads seconds, milliseconds and dates unchanged', () => {
    for (const unit of ['s', 'ms', 'rfc3339'] as const) {
      const time = signedTime({ header: 'X-Time', unit })
      const text = time.make(new Headers(), now + 999)
      expect(time.header).toBe('x-time')
      expect(time.read({ headers: new Headers({ 'x-time': text }) }, { signatures: [] }, now)).toBe(text)
    }
    expect(getReason('2026-01-01T02:04:59+02:00', { unit: 'rfc3339' })).toBe('read')
    expect(getReason('2026-01-01T00:00:00.123456789Z', { unit: 'rfc3339' })).toBe('read')
  })

  it('reads a date without an offset in UTC, whatever the zone of the process', () => {
    const { TZ } = process.env
    try {
      for (const zone of ['America/Los_Angeles', 'Asia/Tokyo']) {
        process.env.TZ = zone
        expect(getReason('2026-01-01T00:00:00.551', { unit: 'rfc3339' })).toBe('read')
        expect(getReason('2026-01-01T09:00:00', { unit: 'rfc3339' })).toBe('expired')
      }
    } finally {
      if (TZ === undefined) delete process.env.TZ
      else process.env.TZ = TZ
    }
  })

  it.each([
    '',
    ' ',
    '-1767225600',
    '+1767225600',
    '1.7672256e9',
    '1767225600.0',
    '0x69556b00',
    '01767225600',
    ' 1767225600',
    '1767225600 ',
    '1767225600, 1767225600',
    '１７６７２２５６００',
    'NaN',
    'Infinity',
    'now',
    '9'.repeat(16),
    '0',
  ])('rejects %j as seconds', (text) => {
    expect(getReason(text)).toBe('malformed')
  })

  it.each([
    '2026-01-01',
    '2026-01-01 00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T00:00Z',
    '1 Jan 2026 00:00:00 GMT',
    '2026-01-01T00:00:00z',
    '+002026-01-01T00:00:00Z',
    '1767225600',
  ])('rejects %j as a date', (text) => {
    expect(getReason(text, { unit: 'rfc3339' })).toBe('malformed')
  })

  it('applies the tolerance in both directions', () => {
    const at = (seconds: number) => getReason(String(now / 1000 + seconds), { toleranceSeconds: 60 })
    expect([-61, -60, 0, 60, 61].map(at)).toEqual(['expired', 'read', 'read', 'read', 'expired'])
    // Milliseconds that are read as seconds are in the far future.
    expect(getReason(String(now))).toBe('expired')
  })

  // Regression: an age of exactly the tolerance was rejected within a second.
  it.each([0, 1, 500, 999])('includes both edges of the tolerance, %d ms into a second', (into) => {
    const at = (seconds: number) => getReason(String(now / 1000 + seconds), {}, now + into)
    expect([-301, -300, 300, 301].map(at)).toEqual(['expired', 'read', 'read', 'expired'])
  })

  it('applies the tolerance to milliseconds exactly', () => {
    const at = (ms: number) => getReason(String(now + 500 + ms), { unit: 'ms' }, now + 500)
    expect([-300_001, -300_000, 300_000, 300_001].map(at)).toEqual(['expired', 'read', 'read', 'expired'])
  })

  it('applies the tolerance of the delivery instead of its own', () => {
    const time = signedTime({ header: 'x-time', toleranceSeconds: 60 })
    const at = (seconds: number, toleranceSeconds: number) => {
      const headers = new Headers({ 'x-time': String(now / 1000 - seconds) })
      return typeof time.read({ headers, toleranceSeconds }, { signatures: [] }, now)
    }
    expect([at(600, 600), at(601, 600), at(10, 10), at(11, 10)]).toEqual([
      'string',
      'object',
      'string',
      'object',
    ])
    const inBody = signedTime({ fromBody: (body) => Buffer.from(body).toString(), toleranceSeconds: 60 })
    const body = Buffer.from(String(now / 1000 - 600))
    expect(inBody.refuses?.({ body, toleranceSeconds: 600 }, now)).toBeUndefined()
    expect(inBody.refuses?.({ body }, now)).toEqual({ verified: false, reason: 'expired' })
  })

  it('rejects a delivery without a time', () => {
    const missing = { verified: false, reason: 'missing' }
    const headers = new Headers()
    expect(signedTime({ header: 'x-time' }).read({ headers }, { signatures: [] }, now)).toEqual(missing)
    expect(signedTime().read({ headers }, { signatures: [] }, now)).toEqual(missing)
  })

  it.each([0, -1, NaN, Infinity])('rejects a tolerance of %d', (toleranceSeconds) => {
    expect(() => signedTime({ toleranceSeconds })).toThrow(TypeError)
  })
})

it('signedId lower-cases its header name and keeps the stored value', () => {
  const signature = hmac({
    ...{ algorithm: 'sha256', encoding: 'hex', header: 'X-Signature' },
    id: signedId({ header: 'X-Signature-Id' }),
    content: ({ id, body }) => [id, '.', body],
  })
  expect(signature).toMatchObject({
    headers: ['x-signature', 'x-signature-id'],
    signedHeaders: ['x-signature-id'],
    signedIds: ['x-signature-id'],
  })
  const headers = new Headers({ 'X-Signature-Id': 'msg_1', 'X-Signature': 'proof' })
  // Without the scheme, the name would be redacted.
  expect(redactHeaders(headers, { signature })).toEqual({
    'x-signature': '[redacted]',
    'x-signature-id': 'msg_1',
  })
})
