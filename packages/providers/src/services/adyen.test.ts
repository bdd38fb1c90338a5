import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { adyen } from './adyen.ts'
import samples from './adyen.samples.json' with { type: 'json' }

testService(runner, {
  provider: adyen,
  samples,
  sign: ({ text, secret }) => {
    const delivery = JSON.parse(text) as Delivery
    for (const { NotificationRequestItem: item } of delivery.notificationItems) {
      const { pspReference, originalReference, merchantAccountCode, merchantReference, amount } = item
      const references = [pspReference, originalReference ?? '', merchantAccountCode, merchantReference]
      const content = [...references, amount.value, amount.currency, item.eventCode, item.success].join(':')
      const key = Buffer.from(secret, 'hex')
      item.additionalData['hmacSignature'] = createHmac('sha256', key).update(content).digest('base64')
    }
    return { headers: {}, body: Buffer.from(JSON.stringify(delivery)) }
  },
  secret: '44782def547aaa06c910c43932b1eb0c71fc68d9d0c057550c48ec2acf6ba056',
})

describe('adyen items', () => {
  const key = '44782def547aaa06c910c43932b1eb0c71fc68d9d0c057550c48ec2acf6ba056'
  const send = (body: unknown) => ({
    method: 'POST',
    headers: new Headers(),
    body: new TextEncoder().encode(JSON.stringify(body)),
  })

  it('rejects a delivery with one item that is not signed', async () => {
    const [, batch] = samples
    const signed = (await adyen.signature.signBody?.(send(batch?.body), key, 0)) ?? new Uint8Array()
    const changed = JSON.parse(new TextDecoder().decode(signed)) as Delivery
    const [, second] = changed.notificationItems
    if (second) second.NotificationRequestItem.success = 'true'
    expect(await adyen.signature.verify({ ...send({}), body: signed }, [key], 0)).toMatchObject({
      verified: true,
    })
    expect(await adyen.signature.verify(send(changed), [key], 0)).toMatchObject({ verified: false })
  })

  // Regression: a captured item was accepted as an event of another reference.
  it('rejects a colon in a member that is not the reference of the merchant', async () => {
    const item = {
      pspReference: '881',
      originalReference: '',
      merchantAccountCode: 'Shop',
      merchantReference: 'order:5',
      amount: { currency: 'EUR', value: 1000 },
      eventCode: 'CAPTURE',
      success: 'true',
    }
    const hmacSignature = createHmac('sha256', Buffer.from(key, 'hex'))
      .update('881::Shop:order:5:1000:EUR:CAPTURE:true')
      .digest('base64')
    const verify = (changed: object) => {
      const signed = { ...item, ...changed, additionalData: { hmacSignature } }
      const delivery = send({ notificationItems: [{ NotificationRequestItem: signed }] })
      return adyen.signature.verify(delivery, [key], 0)
    }
    expect(await verify({})).toMatchObject({ verified: true })
    const moved = { originalReference: 'Shop', merchantAccountCode: 'order', merchantReference: '5' }
    expect(await verify({ ...moved, pspReference: '881:' })).toMatchObject({ verified: false })
  })

  it('verifies the vector of the library of Adyen', async () => {
    const item = {
      pspReference: 'pspReference',
      originalReference: 'originalReference',
      merchantAccountCode: 'merchantAccount',
      merchantReference: 'reference',
      amount: { currency: 'EUR', value: 1000 },
      eventCode: 'CAPTURE',
      success: 'true',
      additionalData: { hmacSignature: 'xhpHvYq2u2Np0rstbZ6QjLGu7JWhvf7Iwaa6EviJSX0=' },
    }
    const delivery = send({ notificationItems: [{ NotificationRequestItem: item }] })
    const keys = ['DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00']
    expect(await adyen.signature.verify(delivery, keys, 0)).toMatchObject({ verified: true })
  })

  it('rejects a delivery without items', async () => {
    expect(await adyen.signature.verify(send({ notificationItems: [] }), [key], 0)).toEqual({
      verified: false,
      reason: 'malformed',
    })
  })
})

interface Delivery {
  readonly notificationItems: readonly { readonly NotificationRequestItem: Item }[]
}

interface Item {
  readonly [name: string]: unknown
  readonly amount: { readonly value: number; readonly currency: string }
  readonly additionalData: Record<string, string>
  success: string
}
