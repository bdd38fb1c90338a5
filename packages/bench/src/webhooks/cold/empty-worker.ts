export default {
  fetch: (): Promise<Response> => Promise.resolve(new Response(null, { status: 200 })),
}
