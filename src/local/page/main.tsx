import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

// The token is in a cookie by now; out of the address it is not copied, bookmarked or seen over a shoulder.
if (new URLSearchParams(location.search).has('token')) {
  history.replaceState(null, '', location.pathname + location.hash)
}

const root = document.getElementById('app')
if (root) createRoot(root).render(<App />)
