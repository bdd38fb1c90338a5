import { createTokenIssuer } from '@sallyport/auth'
import { createTokenOptions } from './tokens.ts'

const [, , user = 'ada'] = process.argv
const issuer = createTokenIssuer(createTokenOptions(process.env['JWT_SECRET'] ?? ''))
console.log((await issuer.issue({ sub: user })).token)
