/**
 * The shop's own code: the queue stub that the README shows, then what its buttons do. It looks over the shoulder of
 * `fetch`, so that the page can show what the tracking script sends.
 */
export const shopScript = `(function (t) {
  t.q = t.q || []
  ;['ready', 'convert', 'source'].forEach(function (name) {
    t[name] = t[name] || function () {
      var args = arguments
      return new Promise(function (resolve) { t.q.push([name, args, resolve]) })
    }
  })
})((window.tributary = window.tributary || {}))

;(() => {
  const calls = []
  const steps = { 'track/visits': 'visit', 'track/leads': 'lead', 'shop/sale': 'sale' }
  const pretty = (text) => {
    try { return JSON.stringify(JSON.parse(text), null, 2) } catch { return text }
  }
  const show = () => {
    for (const { step, text } of calls) {
      const pre = document.querySelector('#' + step + ' pre')
      if (!pre) continue
      pre.textContent = text
      pre.hidden = false
    }
  }
  const note = (address, init, answer) => {
    const { pathname } = new URL(address, location.href)
    const end = Object.keys(steps).find((path) => pathname.endsWith(path))
    if (!end) return
    calls.push({ step: steps[end], text: 'POST ' + pathname + '\\n' + pretty(init.body) + '\\n\\n' + answer })
    show()
  }
  const realFetch = window.fetch
  window.fetch = async (address, init) => {
    try {
      const response = await realFetch(address, init)
      response.clone().text().then((text) => note(address, init, response.status + '\\n' + pretty(text)))
      return response
    } catch (error) {
      note(address, init, 'No answer: ' + error.message)
      throw error
    }
  }

  const daysLeft = async () => {
    if (!window.cookieStore) return ''
    const cookie = await window.cookieStore.get('tributary_referral')
    return cookie && cookie.expires ? ', for ' + Math.round((cookie.expires - Date.now()) / 864e5) + ' days' : ''
  }
  const showReferral = async () => {
    const id = window.tributary.referral
    document.getElementById('referral').value = id || 'none: come through a link first'
    document.getElementById('cookie').value = id && document.cookie.includes(id)
      ? 'tributary_referral' + (await daysLeft().catch(() => ''))
      : 'none'
  }
  const say = (step, text) => { document.querySelector('#' + step + ' .status').textContent = text }

  document.addEventListener('DOMContentLoaded', () => {
    show()
    document.documentElement.dataset.state = 'loading'
    window.tributary.ready(async () => {
      await showReferral()
      document.documentElement.dataset.state = 'ready'
    })
    document.querySelector('form').addEventListener('submit', async (event) => {
      event.preventDefault()
      const { email, name } = Object.fromEntries(new FormData(event.target))
      say('lead', 'Signing up …')
      const lead = await window.tributary.convert({ email, name })
      say('lead', lead ? 'This referral is now a ' + lead.conversion_state + '.' : 'No lead: there is no referral that takes one.')
    })
    document.getElementById('buy').addEventListener('click', async () => {
      say('sale', 'Buying …')
      try {
        const response = await fetch('shop/sale', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ referral_id: window.tributary.referral }),
        })
        const sale = await response.json()
        const money = (cents) => (cents / 100).toFixed(2) + ' ' + sale.currency.toUpperCase()
        say('sale', !response.ok ? sale.error
          : sale.commission ? 'Sold for ' + money(sale.amount_cents) + '; the affiliate earned ' + money(sale.commission.amount_cents) + ', ' + sale.commission.state + '.'
          : 'Sold; no commission: ' + sale.no_commission_reason + '.')
      } catch (error) {
        say('sale', 'No answer: ' + error.message)
      }
    })
    document.getElementById('again').addEventListener('click', () => {
      const labels = location.hostname.split('.')
      for (const name of ['tributary_referral', 'tributary_via'])
        for (const domain of ['', ...labels.map((_, n) => ';domain=' + labels.slice(n).join('.'))])
          document.cookie = name + '=;path=/' + domain + ';expires=Thu, 01 Jan 1970 00:00:00 GMT'
      localStorage.removeItem('tributary_visitor')
      location.href = 'shop'
    })
  })
})()
`
