import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

/** One more thing that the process answers over HTTP. `path` is matched exactly; the body is not read for the handler. */
export type Route = {
  path: string
  method: 'GET' | 'POST'
  handler: (request: IncomingMessage, response: ServerResponse) => void
}

/**
 * The routes alone, where Slack does not come over HTTP: Bolt's Socket Mode receiver would listen on every address and
 * end the process when the port is taken.
 */
export function routeServer(routes: readonly Route[]): Server {
  return createServer((request, response) => {
    const path = URL.parse(request.url ?? '', 'http://localhost')?.pathname
    const onPath = routes.filter(route => route.path === path)
    const route = onPath.find(({ method }) => method === request.method)
    if (route !== undefined) return route.handler(request, response)
    response.writeHead(onPath.length > 0 ? 405 : 404).end()
  })
}
