import type { BuildContent, SignatureLocation } from '@sallyport/webhooks'

const header = 'x-hook0-signature'
const read = (value: string, name: string) => new RegExp(`(?:^|,)${name}=([^,]*)`).exec(value)?.[1]

/** The header of Hook0: `t=<time>,v0=<signature>`, and `h=<names of headers>,v1=<signature>`. */
export const hook0Signature: SignatureLocation = {
  names: [header],
  read({ headers }) {
    const value = headers.get(header)
    if (value === null) return 'missing'
    const timestamp = read(value, 't')
    const signatures = [read(value, 'v0') ?? [], read(value, 'v1') ?? []].flat()
    return timestamp === undefined || signatures.length === 0 ? 'malformed' : { signatures, timestamp }
  },
  write: (signature, timestamp) => ({ [header]: `t=${timestamp},v0=${signature}` }),
}

/** The content of `v0`. The header is missing while a delivery is signed. */
export const contentWithoutHeaders: BuildContent = ({ timestamp, headers, body }) => {
  const value = headers.get(header)
  const isOther = value !== null && read(value, 'v0') === undefined
  return [timestamp, '.', isOther ? undefined : body]
}

/** The content of `v1`, which covers the headers that the field `h` lists. */
export const contentWithHeaders: BuildContent = ({ timestamp, headers, body }) => {
  const list = read(headers.get(header) ?? '', 'h')
  const values = list?.split(' ', 32).map((name) => (/^[\w-]+$/.test(name) ? headers.get(name) : null) ?? '')
  return [timestamp, '.', list, '.', values?.join('.'), '.', body]
}
