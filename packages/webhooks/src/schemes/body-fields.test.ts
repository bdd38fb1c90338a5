import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  formField,
  formSignature,
  hash,
  hexSecret,
  hmac,
  jsonField,
  jsonSignature,
  parseForm,
  parseJson,
  signedTime,
  type SignatureScheme,
} from '../index.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const request = (body: Uint8Array) => ({ method: 'POST', headers: new Headers(), body })
const verify = (scheme: SignatureScheme, text: string, secret: string, now = 0) =>
  scheme.verify(request(utf8(text)), [secret], now)

const mailgun = hmac({
  algorithm: 'sha256',
  encoding: 'hex',
  header: jsonSignature('signature.signature'),
  timestamp: signedTime({ fromBody: (body) => jsonField(body, 'signature.timestamp') }),
  content: ({ body }) => [jsonField(body, 'signature.timestamp'), jsonField(body, 'signature.token')],
  covers: ['signature.timestamp', 'signature.token'],
})

const adyen = (() => {
  const item = 'notificationItems.0.NotificationRequestItem'
  const names = ['pspReference', 'originalReference', 'merchantAccountCode', 'merchantReference']
  const fields = [...names, 'amount.value', 'amount.currency', 'eventCode', 'success']
  return hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: jsonSignature(`${item}.additionalData.hmacSignature`),
    key: hexSecret(),
    content: ({ body }) => [fields.map((name) => jsonField(body, `${item}.${name}`) ?? '').join(':')],
    covers: fields,
  })
})()

describe('jsonField', () => {
  const body = utf8('{"a":{"b":[{"c":"text"},7]},"yes":true,"none":null}')

  it('reads text, numbers and booleans', () => {
    expect(jsonField(body, 'a.b.0.c')).toBe('text')
    expect(jsonField(body, 'a.b.1')).toBe('7')
    expect(jsonField(body, 'yes')).toBe('true')
  })

  it('returns undefined for any other member', () => {
    for (const path of ['none', 'a', 'a.b', 'a.b.2', 'a.__proto__', 'constructor', '']) {
      expect(jsonField(body, path), path).toBeUndefined()
    }
  })

  it('does not parse a body with more separators than an event has', () => {
    expect(jsonField(utf8(`{"a":"text","b":[${'0,'.repeat(20_000)}0]}`), 'a')).toBeUndefined()
    expect(jsonField(utf8('not JSON'), 'a')).toBeUndefined()
  })
})

describe('a signature in the JSON body', () => {
  it('verifies the example of Adyen', async () => {
    // The example of the Adyen API libraries.
    const key = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'
    const item = {
      pspReference: '7914073381342284',
      originalReference: '',
      merchantAccountCode: 'TestMerchant',
      merchantReference: 'TestPayment-1407325143704',
      amount: { value: 1130, currency: 'EUR' },
      eventCode: 'AUTHORISATION',
      success: 'true',
      additionalData: { hmacSignature: 'coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=' },
    }
    const text = JSON.stringify({ notificationItems: [{ NotificationRequestItem: item }] })
    expect(await verify(adyen, text, key)).toEqual({ verified: true, body: utf8(text) })
    expect((await verify(adyen, text.replace('1130', '1131'), key)).verified).toBe(false)
    expect(adyen.covers).toContain('amount.value')
  })

  it('writes a signature that the scheme verifies', async () => {
    const token = createHmac('sha256', 'key').update('1700000000abc').digest('hex')
    const body = utf8(
      JSON.stringify({ signature: { timestamp: '1700000000', token: 'abc' }, 'event-data': {} }),
    )
    const signed = await mailgun.signBody!(request(body), 'key', 0)
    expect(parseJson(signed)).toMatchObject({ signature: { signature: token } })
    expect(await mailgun.sign(request(body), 'key', 0)).toEqual({})
    const verified = mailgun.verify(request(signed), ['key'], 1_700_000_000_000)
    expect(await verified).toEqual({ verified: true, body: signed })
    expect(await mailgun.verify(request(signed), ['key'], 1_800_000_000_000)).toMatchObject({
      reason: 'expired',
    })
    expect(mailgun.covers).toEqual(['signature.timestamp', 'signature.token'])
  })

  it('rejects a body without a signed field', async () => {
    const text = (signature: object) =>
      JSON.stringify({ signature: { signature: 'a'.repeat(64), ...signature } })
    expect(await verify(mailgun, text({ timestamp: '1700000000' }), 'key')).toMatchObject({ verified: false })
    expect(await verify(mailgun, '{}', 'key')).toMatchObject({ reason: 'missing' })
    expect(await verify(mailgun, '', 'key')).toMatchObject({ reason: 'missing' })
  })
})

describe('a hash with the secret in the content', () => {
  it('verifies the fields of Midtrans', async () => {
    const scheme = hash({
      algorithm: 'sha512',
      encoding: 'hex',
      header: jsonSignature('signature_key'),
      content: ({ body, secret }) => [
        jsonField(body, 'order_id'),
        jsonField(body, 'status_code'),
        jsonField(body, 'gross_amount'),
        secret,
      ],
      covers: ['order_id', 'status_code', 'gross_amount'],
    })
    const signature_key = createHash('sha512').update('o-120010000.00server-key').digest('hex')
    const body = { order_id: 'o-1', status_code: '200', gross_amount: '10000.00', signature_key }
    expect((await verify(scheme, JSON.stringify(body), 'server-key')).verified).toBe(true)
    expect((await verify(scheme, JSON.stringify(body), 'other-key')).verified).toBe(false)
    expect(
      (await verify(scheme, JSON.stringify({ ...body, status_code: '201' }), 'server-key')).verified,
    ).toBe(false)
  })
})

describe('a signature in a form', () => {
  const braintree = hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: formSignature('signature'),
    content: [({ body }) => [formField(body, 'payload')], ({ body }) => [formField(body, 'payload'), '\n']],
  })

  it('verifies each form of the content', async () => {
    for (const content of ['a b&c', 'a b&c\n']) {
      const signature = createHmac('sha256', 'key').update(content).digest('hex')
      const text = `payload=a+b%26c&signature=${signature}`
      expect((await verify(braintree, text, 'key')).verified).toBe(true)
      expect((await verify(braintree, `${text}&payload=x`, 'key')).verified).toBe(false)
      expect((await verify(braintree, text.replace('payload=a', 'payload=b'), 'key')).verified).toBe(false)
    }
  })

  it('writes a signature that the scheme verifies', async () => {
    const signed = await braintree.signBody!(request(utf8('payload=a+b%26c')), 'key', 0)
    expect(parseForm(signed)).toMatchObject({ payload: 'a b&c' })
    expect((await braintree.verify(request(signed), ['key'], 0)).verified).toBe(true)
  })

  it('rejects a body without the signature', async () => {
    expect(await verify(braintree, 'payload=a', 'key')).toMatchObject({ reason: 'missing' })
    expect(await verify(braintree, 'payload=%zz&signature=a', 'key')).toMatchObject({ reason: 'missing' })
  })
})
