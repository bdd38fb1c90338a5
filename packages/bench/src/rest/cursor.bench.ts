import { createCursorCodec } from '@sallyport/rest'
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { defineMicro } from '../frame/micro.ts'

const key = Buffer.alloc(32, 7)
const position = ['2026-01-31T12:00:00.000Z', '0190f3a0-1c2d-7000-8000-000000000042']
const place = { at: 'after', position } as const
const binding = '["users",[["created_at","desc","last"],["id","desc","last"]],[],null]'

const secret = createSecretKey(key)
const codec = createCursorCodec({ keys: [key] })

const sign = (json: Uint8Array) => createHmac('sha256', secret).update(binding).update(json).digest()

const plain = {
  encode: () => Buffer.from(JSON.stringify(position)).toString('base64url'),
  decode: (cursor: string) => JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown,
}

const signed = {
  encode: () => {
    const json = Buffer.from(JSON.stringify(position))
    return Buffer.concat([sign(json), json]).toString('base64url')
  },
  decode: (cursor: string) => {
    const bytes = Buffer.from(cursor, 'base64url')
    const json = bytes.subarray(32)
    if (!timingSafeEqual(bytes.subarray(0, 32), sign(json)))
      throw new TypeError('The signature of the cursor is invalid')
    return JSON.parse(json.toString()) as unknown
  },
}

const names = { unsigned: 'base64url of JSON', signed: 'HMAC by hand', kit: '@sallyport/rest' }
const does = {
  unsigned:
    'No signature: a client can forge a cursor, and a cursor of another list or sort is accepted. Less work, but common.',
  signed:
    'HMAC-SHA256 over the same binding and JSON with node:crypto; constant-time comparison. No versions.',
  kit: 'HMAC-SHA256 over version, binding and JSON, truncated to 16 bytes; constant-time comparison. Accepts only the canonical form, supports key rotation, restores dates and bigints, and has a direction.',
}

export default [
  defineMicro({
    name: 'cursor-encode',
    what: 'Encodes the cursor of a position of two values.',
    base: names.signed,
    prepare: () => undefined,
    sides: [
      { name: names.unsigned, does: does.unsigned, setup: () => plain.encode },
      { name: names.signed, does: does.signed, setup: () => signed.encode },
      { name: names.kit, does: does.kit, setup: () => () => codec.encode(place, binding) },
    ],
  }),
  defineMicro({
    name: 'cursor-decode',
    what: 'Decodes a cursor and verifies its signature, if it has one.',
    base: names.signed,
    prepare: () => undefined,
    agree: (result) => result,
    sides: [
      {
        name: names.unsigned,
        does: does.unsigned,
        setup() {
          const cursor = plain.encode()
          return () => plain.decode(cursor)
        },
      },
      {
        name: names.signed,
        does: does.signed,
        setup() {
          const cursor = signed.encode()
          return () => signed.decode(cursor)
        },
      },
      {
        name: names.kit,
        does: does.kit,
        setup() {
          const cursor = codec.encode(place, binding)
          return () => {
            const decoded = codec.decode(cursor, binding)
            return decoded && 'position' in decoded ? decoded.position : undefined
          }
        },
      },
    ],
  }),
]
