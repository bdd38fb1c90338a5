/** The http or https address in one such as `inngest+https://…`. */
export function httpAddressOf(address: string): URL | undefined {
  const url = URL.parse(address.replace(/^[a-z]+\+/i, ''))
  const isHttp = url !== null && /^https?:$/.test(url.protocol) && url.hash === ''
  return isHttp ? url : undefined
}
