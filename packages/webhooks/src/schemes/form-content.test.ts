import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { formContent, hmac, parseForm, sortedForm } from '../index.ts'

const twilio = hmac({
  algorithm: 'sha1',
  encoding: 'base64',
  header: 'x-twilio-signature',
  forms: sortedForm,
  content: formContent,
  identity: (content) => content,
})
const utf8 = (text: string) => new TextEncoder().encode(text)
const sign = (content: string, token: string) => createHmac('sha1', token).update(content).digest('base64')
const verify = async (url: string, body: string, signature: string, token = '12345', method = 'POST') =>
  twilio.verify(
    { method, url, headers: new Headers({ 'x-twilio-signature': signature }), body: utf8(body) },
    [token],
    0,
  )

describe('formContent', () => {
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2'
  const fields = {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675309',
    Digits: '1234',
    From: '+14158675309',
    To: '+18005551212',
  }
  const body = new URLSearchParams(fields).toString()

  it('verifies the example of the Twilio documentation', async () => {
    // https://www.twilio.com/docs/usage/security
    const signature = 'RSOYDt4T1cUTdK1PDd93/VVr8B8='
    expect(await verify(url, body, signature)).toMatchObject({ verified: true })
    expect(await verify(url, body.replace('1234', '1235'), signature)).toMatchObject({ verified: false })
    expect(await verify(url.replace('bar=2', 'bar=3'), body, signature)).toMatchObject({ verified: false })
  })

  it('returns one body for all orders and escapes of the fields', async () => {
    const signature = sign(`${url}a1b x`, '12345')
    const bodies = await Promise.all(
      ['a=1&b=%20x', 'b=+x&a=1', '%61=1&b=%20x', 'a=1&a=1&b=+x'].map((text) => verify(url, text, signature)),
    )
    for (const verification of bodies)
      expect(verification).toMatchObject({ verified: true, body: utf8('a=1&b=+x') })
  })

  it('sorts the values of a repeated field', async () => {
    const text = 'Media=b&Media=a&Media=b'
    const verification = await verify(url, text, sign(`${url}MediaaMediab`, '12345'))
    if (!verification.verified) throw new Error(verification.reason)
    expect(parseForm(verification.body)).toEqual({ Media: ['a', 'b'] })
  })

  it('accepts a URL with or without the port, and with another escape of the query', async () => {
    const port = 'https://mycompany.com:443/myapp.php?foo=1&bar=2'
    expect(await verify(url, 'a=1', sign(`${port}a1`, '12345'))).toMatchObject({ verified: true })
    const other = 'https://mycompany.com:8443/x'
    expect(await verify(other, 'a=1', sign('https://mycompany.com/xa1', '12345'))).toMatchObject({
      verified: true,
    })
    const spaced = 'https://mycompany.com/x?a=b+c'
    expect(await verify(spaced, '', sign('https://mycompany.com/x?a=b%20c', '12345'))).toMatchObject({
      verified: true,
    })
  })

  it('verifies the hash of a JSON body', async () => {
    const json = '{"b":[1],"a":2}'
    const own = `https://mycompany.com/x?bodySHA256=${createHash('sha256').update(json).digest('hex')}`
    const signature = sign(own, '12345')
    expect(await verify(own, json, signature)).toMatchObject({ verified: true, body: utf8(json) })
    for (const text of ['{"b":[1],"a":3}', 'a=1', '']) {
      expect(await verify(own, text, signature), text).toMatchObject({ verified: false })
    }
  })

  // Regression: the text of a message put the hash of another body into a URL that has a query.
  it('reads the hash only from the end of the URL', async () => {
    const json = '{"type":"forged"}'
    const hash = createHash('sha256').update(json).digest('hex')
    const registered = 'https://mycompany.com/x?tenant=7'
    const rest = `AccountSidACBody&bodySHA256=${hash}&z=From+1`
    const signature = sign(registered + rest, '12345')
    const fields = new URLSearchParams({ AccountSid: 'AC', Body: `&bodySHA256=${hash}&z=`, From: '+1' })
    expect(await verify(registered, fields.toString(), signature)).toMatchObject({ verified: true })
    expect(await verify(registered + rest, json, signature)).toMatchObject({ verified: false })
  })

  it.each(['{"type":"forged"}', ' {"type":"forged"}', '\ufeff{"type":"forged"}'])(
    'rejects the JSON %j without its hash',
    async (text) => {
      expect(await verify(url, text, sign(`${url}${text}`, '12345'))).toMatchObject({ verified: false })
      expect(await verify(`${url}x`, text, sign(`${url}x${text}`, '12345'))).toMatchObject({
        verified: false,
      })
    },
  )

  it('verifies the address of a SIP caller that only the sender or the host escapes', async () => {
    const plain = 'https://mycompany.com/x?Caller=sip:100@192.0.2.1'
    const escaped = 'https://mycompany.com/x?Caller=sip%3A100%40192.0.2.1'
    for (const [wire, signed] of [
      [plain, escaped],
      [escaped, plain],
    ] as const)
      expect(await verify(wire, 'CallSid=CA1', sign(`${signed}CallSidCA1`, '12345')), wire).toMatchObject({
        verified: true,
      })
  })

  it('verifies an apostrophe that Twilio escapes', async () => {
    const raw = "https://mycompany.com/myapp.php?foo=1&bar=2&Body=It's+amazing"
    for (const signed of [raw, new URL(raw).href]) {
      const signature = sign(`${signed}CallSidCA1`, '12345')
      expect(await verify(raw, 'CallSid=CA1', signature), signed).toMatchObject({ verified: true })
    }
  })

  it('gives each delivery with equal content the same identity', async () => {
    const signature = sign(`${url}AccountSidAC1BodyxFrom+1`, '12345')
    const identify = async (...request: [string, string]) => {
      const verification = await verify(...request, signature)
      if (!verification.verified) throw new Error(verification.reason)
      return verification.headers?.get('sallyport-signed-content')
    }
    const known = await identify(url, 'AccountSid=AC1&Body=x&From=%2B1')
    expect(known).toMatch(/^[0-9a-f]{64}$/)
    for (const body of [
      'Account=SidAC1&Body=x&From=%2B1',
      'AccountSid=AC1&Body=xFrom%2B1',
      'AccountSidAC1BodyxFrom%2B1=',
    ]) {
      expect(await identify(url, body), body).toBe(known)
    }
    expect(await identify(`${url}AccountSidAC1`, 'Body=x&From=%2B1')).toBe(known)
  })

  it('signs the URL alone of a delivery by GET', async () => {
    const query = 'bodySHA256=00&bodySHA256=00&Status=in-review&BundleSid=BU1'
    const signed = `https://mycompany.com/x?${query}`
    const signature = sign(signed, '12345')
    const verification = await verify(signed, query, signature, '12345', 'GET')
    if (!verification.verified) throw new Error(verification.reason)
    expect(parseForm(verification.body)).toEqual({ bodySHA256: '00', BundleSid: 'BU1', Status: 'in-review' })
    expect(await verify(signed, query, signature)).toMatchObject({ verified: false })
    expect(await verify(`${signed}&To=x`, `${query}&To=x`, signature, '12345', 'GET')).toMatchObject({
      verified: false,
    })
  })

  // Regression: the copy had the identity of the JSON delivery, which was then a duplicate.
  it('refuses a copy by GET of a JSON delivery', async () => {
    const json = '{"type":"sent"}'
    const query = `bodySHA256=${createHash('sha256').update(json).digest('hex')}`
    const own = `https://mycompany.com/x?${query}`
    const signature = sign(own, '12345')
    expect(await verify(own, json, signature)).toMatchObject({ verified: true })
    expect(await verify(own, query, signature, '12345', 'GET')).toMatchObject({ verified: false })
  })

  it('needs the public URL', async () => {
    const delivery = {
      method: 'POST',
      headers: new Headers({ 'x-twilio-signature': sign('', '1') }),
      body: utf8(''),
    }
    await expect(twilio.verify(delivery, ['12345'], 0)).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
    })
  })
})

it('sorts a body once for all addresses', () => {
  const body = new TextEncoder().encode('b=1&a=2')
  expect([...sortedForm(body)][0]).toBe([...sortedForm(body)][0])
})
