import { createTokenIssuer } from '@sallyport/auth'
import { tokens } from './books.ts'

console.log((await createTokenIssuer(tokens).issue({ sub: process.argv[2] ?? 'ada' })).token)
