export const handler = () => Promise.resolve({ statusCode: 200 })
