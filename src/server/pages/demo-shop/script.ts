/** The shop's code: the queue stub, then its buttons. It wraps `fetch` to show the script's requests. */
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
  const record = (address, init, result) => {
    const { pathname } = new URL(address, location.href)
    const path = Object.keys(steps).find((suffix) => pathname.endsWith(suffix))
    if (!path) return
    calls.push({ step: steps[path], text: 'POST ' + pathname + '\\n' + pretty(init.body) + '\\n\\n' + result })
    show()
  }
  const realFetch = window.fetch
  window.fetch = async (address, init) => {
    try {
      const response = await realFetch(address, init)
      response.clone().text().then((text) => record(address, init, response.status + '\\n' + pretty(text)))
      return response
    } catch (error) {
      record(address, init, 'No response: ' + error.message)
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
    document.getElementById('referral').value = id || 'none (follow a link first)'
    document.getElementById('cookie').value = id && document.cookie.includes(id)
      ? 'tributary_referral' + (await daysLeft().catch(() => ''))
      : 'none'
  }
  const showStatus = (step, text) => { document.querySelector('#' + step + ' .status').textContent = text }

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
      showStatus('lead', 'Signing up …')
      const lead = await window.tributary.convert({ email, name })
      showStatus('lead', lead ? 'This referral is now a ' + lead.conversion_state + '.' : 'No lead was recorded: there is no referral.')
    })
    document.getElementById('buy').addEventListener('click', async () => {
      showStatus('sale', 'Buying …')
      try {
        const response = await fetch('shop/sale', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ referral_id: window.tributary.referral }),
        })
        const sale = await response.json()
        const money = (cents) => (cents / 100).toFixed(2) + ' ' + sale.currency.toUpperCase()
        showStatus('sale', !response.ok ? sale.error
          : sale.commission ? 'Sold for ' + money(sale.amount_cents) + '. The affiliate earned ' + money(sale.commission.amount_cents) + ' (' + sale.commission.state + ').'
          : 'Sold without a commission: ' + sale.no_commission_reason + '.')
      } catch (error) {
        showStatus('sale', 'No response: ' + error.message)
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
