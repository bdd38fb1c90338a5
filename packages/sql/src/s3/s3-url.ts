/** A bucket, and the place of the objects in it. */
export interface Bucket {
  readonly bucket: string
  /** Before each key: empty, or with a slash at its end. */
  readonly prefix: string
  readonly region?: string
  readonly endpoint?: string
}

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const folder = /^[\w.-]{1,200}$/

/**
 * Reads `s3://bucket/prefix?region=…&endpoint=…`.
 *
 * @throws TypeError for another address; the message does not quote it
 */
export function readS3Url(text: string): Bucket {
  const url = URL.parse(text.trim())
  if (
    url?.protocol !== 's3:' ||
    url.username !== '' ||
    url.password !== '' ||
    url.port !== '' ||
    url.hash !== ''
  )
    throw new TypeError('has to be s3://bucket/prefix, without a password')
  if (!bucketName.test(url.hostname)) throw new TypeError('has to name a bucket: s3://bucket/prefix')
  const folders = url.pathname.replace(/^\//, '').replace(/\/$/, '')
  if (folders !== '' && !folders.split('/').every((one) => folder.test(one)))
    throw new TypeError('has a prefix with other characters than letters, digits, - and _')
  const { region, endpoint, ...others } = Object.fromEntries(url.searchParams)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new TypeError('has a parameter other than region and endpoint')
  if (region !== undefined && !/^[a-z0-9-]{1,40}$/.test(region)) throw new TypeError('has an invalid region')
  if (endpoint !== undefined && !isHttpOrigin(endpoint))
    throw new TypeError('has an endpoint that is not an http or https address without a path')
  return {
    ...{ bucket: url.hostname, prefix: folders && `${folders}/` },
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
  }
}

function isHttpOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(text)
}
