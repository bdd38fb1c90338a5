import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'

// X.509 certificates for tests: node:crypto reads certificates but does not write them.

const tlv = (tag: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const content = Buffer.concat(parts)
  const { length } = content
  const prefix =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Uint8Array.of(tag, ...prefix), content])
}
const sequence = (...parts: readonly Uint8Array[]) => tlv(0x30, ...parts)
const integer = (value: number) => tlv(0x02, Uint8Array.of(value))
const text = (tag: number, value: string) => tlv(tag, Buffer.from(value))

function oid(value: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = value.split('.').map(Number)
  const bytes = rest.flatMap((arc) => {
    const digits = [arc & 0x7f]
    for (let left = arc >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80)
    return digits
  })
  return tlv(0x06, Uint8Array.of(first * 40 + second, ...bytes))
}

const formatTime = (at: number) => text(0x18, `${new Date(at).toISOString().replaceAll(/[-:T]|\..*/g, '')}Z`)
const formatName = (name: string) => sequence(tlv(0x31, sequence(oid('2.5.4.3'), text(0x0c, name))))

export interface TestCertificate {
  readonly pem: string
  readonly der: string
  readonly privateKey: KeyObject
  readonly name: string
}

export interface CertificateOptions {
  readonly name?: string
  /** The issuer. @default self-signed */
  readonly issuer?: TestCertificate
  readonly isAuthority?: boolean
  /** Marker extensions. */
  readonly extensions?: readonly string[]
  readonly notBefore?: number
  readonly notAfter?: number
  readonly type?: 'rsa' | 'ec'
}

export function createCertificate(options: CertificateOptions = {}): TestCertificate {
  const { name = 'test', issuer, isAuthority = false, extensions = [], type = 'ec' } = options
  const { notBefore = Date.UTC(2020, 0), notAfter = Date.UTC(2040, 0) } = options
  const { privateKey, publicKey } =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signer = issuer?.privateKey ?? privateKey
  const isRsa = signer.asymmetricKeyType === 'rsa'
  const algorithm = isRsa
    ? sequence(oid('1.2.840.113549.1.1.11'), tlv(0x05))
    : sequence(oid('1.2.840.10045.4.3.2'))
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const keyId = createHash('sha1').update(spki).digest()
  const list = [
    sequence(
      oid('2.5.29.19'),
      tlv(0x01, Uint8Array.of(0xff)),
      tlv(0x04, isAuthority ? sequence(tlv(0x01, Uint8Array.of(0xff))) : sequence()),
    ),
    sequence(oid('2.5.29.14'), tlv(0x04, tlv(0x04, keyId))),
    ...extensions.map((one) => sequence(oid(one), tlv(0x04, tlv(0x05)))),
  ]
  const content = sequence(
    tlv(0xa0, integer(2)),
    integer(1),
    algorithm,
    formatName(issuer?.name ?? name),
    sequence(formatTime(notBefore), formatTime(notAfter)),
    formatName(name),
    spki,
    tlv(0xa3, sequence(...list)),
  )
  const signature = sign('sha256', content, signer)
  const der = Buffer.from(sequence(content, algorithm, tlv(0x03, Uint8Array.of(0), signature))).toString(
    'base64',
  )
  const lines = der.match(/.{1,64}/g) ?? []
  const pem = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
  return { pem, der, privateKey, name }
}
