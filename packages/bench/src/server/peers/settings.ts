/** The settings of the process. */
export const settings = {
  directory: required('DATA_DIR'),
  secret: required('JWT_SECRET'),
  /** Defaults of the reference server. */
  issuer: 'sallyport',
  audience: 'sallyport',
  typ: 'JWT',
  claims: ['sub', 'iat', 'exp', 'jti'],
}

function required(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new TypeError(`${name} is missing`)
  return value
}
