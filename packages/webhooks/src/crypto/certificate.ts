import { decodeText, encodeBytes } from './encoding.ts'

/** The public key of a certificate, and the time for which the certificate is valid. */
export interface CertificateKey {
  /** The SPKI public key in base64: `keyEncoding: 'der'`. */
  readonly key: string
  /** Milliseconds since the epoch. */
  readonly notBefore: number
  /** Milliseconds since the epoch. */
  readonly notAfter: number
}

const pemPattern = /-----BEGIN CERTIFICATE-----([\sA-Za-z0-9+/=]+)-----END CERTIFICATE-----/

/**
 * Reads the public key of an X.509 certificate in PEM, or of the first certificate of a chain. The function does not verify the
 * issuer: the certificate must come from a trusted address.
 *
 * @throws TypeError for a text that is not a certificate
 *
 * @see RFC 5280, section 4.1
 */
export function readCertificateKey(pem: string): CertificateKey {
  const [, lines = ''] = pemPattern.exec(pem) ?? []
  const der = decodeText('base64', lines.replaceAll(/\s/g, ''))
  if (der === undefined || der.length === 0) throw notCertificate()
  const [certificate] = readElements(der)
  const [content] = readElements(certificate?.content)
  const fields = readElements(content?.content)
  // The version is optional.
  const start = fields[0]?.tag === 0xa0 ? 1 : 0
  const [validity, subjectKey] = [fields[start + 3], fields[start + 5]]
  const [notBefore, notAfter] = readElements(validity?.content).map(readTime)
  if (subjectKey?.tag !== 0x30 || notBefore === undefined || notAfter === undefined) throw notCertificate()
  return { key: encodeBytes('base64', subjectKey.bytes), notBefore, notAfter }
}

/**
 * Lists the object identifiers of the extensions of an X.509 certificate in DER, such as `2.5.29.19`.
 *
 * @throws TypeError for bytes that are not a certificate
 */
export function listExtensions(der: Uint8Array): readonly string[] {
  const [certificate] = readElements(der)
  const [content] = readElements(certificate?.content)
  const last = readElements(content?.content).find(({ tag }) => tag === 0xa3)
  const [list] = readElements(last?.content)
  return readElements(list?.content).map((extension) => readIdentifier(readElements(extension.content)[0]))
}

const notCertificate = () => new TypeError('The text is not a certificate in PEM')

interface Element {
  readonly tag: number
  readonly content: Uint8Array
  /** The element with its tag and length. */
  readonly bytes: Uint8Array
}

/** Reads the DER elements of a constructed value. */
function readElements(bytes: Uint8Array = new Uint8Array()): readonly Element[] {
  const elements: Element[] = []
  for (let at = 0; at < bytes.length;) {
    const tag = bytes[at] as number
    const first = bytes[at + 1] ?? 0
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f
    if (lengthBytes > 3) throw notCertificate()
    const start = at + 2 + lengthBytes
    let length = first < 0x80 ? first : 0
    for (const byte of bytes.subarray(at + 2, start)) length = length * 256 + byte
    const end = start + length
    if (end > bytes.length) throw notCertificate()
    elements.push({ tag, content: bytes.subarray(start, end), bytes: bytes.subarray(at, end) })
    at = end
  }
  return elements
}

function readIdentifier(element: Element | undefined): string {
  if (element?.tag !== 0x06) throw notCertificate()
  const [first = 0, ...rest] = element.content
  const arcs = [Math.floor(first / 40), first % 40]
  let arc = 0
  for (const byte of rest) {
    arc = arc * 128 + (byte & 0x7f)
    if (byte >= 0x80) continue
    arcs.push(arc)
    arc = 0
  }
  return arcs.join('.')
}

/** Reads a UTCTime or a GeneralizedTime in the forms of RFC 5280. */
function readTime({ tag, content }: Element): number {
  const text = String.fromCharCode(...content)
  const [, short = '', rest = ''] =
    (tag === 0x17 ? /^(\d\d)(\d{10})Z$/ : /^(\d{4})(\d{10})Z$/).exec(text) ?? []
  const year = tag === 0x17 ? (Number(short) < 50 ? `20${short}` : `19${short}`) : short
  const [month, day, hour, minute, second] = rest.match(/\d\d/g) ?? []
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(at)) throw notCertificate()
  return at
}
