package skills

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Teller tells, by the means of an SDK, what happens to a task.
type Teller interface {
	Message(text string) error
	Begin() error
	// Status comes with a message of the agent's unless the text is empty.
	Status(state, text string) error
	Artifact(artifact Artifact) error
	// Ask asks another agent with the SDK's own client, and returns the texts of its answer.
	Ask(ctx context.Context, cardURL, text string) ([]string, error)
}

// Artifact is one, or a chunk of one; its id is its name.
type Artifact struct {
	Name      string
	Parts     []Part
	Append    bool
	LastChunk bool
}

// Turn is a message that has come in.
type Turn struct {
	TaskID string
	// Continues is true where there was the task already.
	Continues bool
	// Text is that of the message's first text part.
	Text string
}

// Performer does what one agent does.
type Performer struct {
	agent  Agent
	skills map[string]Skill
	scale  float64
	mutex  sync.Mutex
	open   map[string]Skill // by the id of the task that waits for more messages
}

// Performer of an agent of the description.
func (d Description) Performer(agent string) *Performer {
	return &Performer{agent: d.Agents[agent], skills: d.Skills, scale: timeScale(), open: map[string]Skill{}}
}

// Perform does the steps that the message asks for. An error is the teller's or the context's.
func (p *Performer) Perform(ctx context.Context, turn Turn, tell Teller) error {
	for _, step := range p.steps(turn) {
		goOn, err := p.do(ctx, step, turn, tell)
		if err != nil || !goOn {
			return err
		}
	}
	return nil
}

func (p *Performer) steps(turn Turn) []step {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if skill, ok := p.open[turn.TaskID]; ok && turn.Continues {
		for _, next := range skill.Next {
			if strings.Contains(strings.ToLower(turn.Text), strings.ToLower(next.Contains)) {
				return next.Steps
			}
		}
	}
	skill := p.named(turn.Text)
	if len(skill.Next) > 0 {
		p.open[turn.TaskID] = skill
	}
	return skill.Steps
}

func (p *Performer) named(text string) Skill {
	if words := strings.Fields(text); len(words) > 0 {
		keyword := strings.ToLower(words[0])
		if slices.Contains(p.agent.Listed, keyword) || slices.Contains(p.agent.Answers, keyword) {
			return p.skills[keyword]
		}
	}
	return p.skills[p.agent.Otherwise]
}

func (p *Performer) do(ctx context.Context, step step, turn Turn, tell Teller) (goOn bool, err error) {
	said := func(text string) string { return strings.ReplaceAll(text, "{text}", turn.Text) }
	switch step.Do {
	case "message":
		return true, tell.Message(said(step.Text))
	case "begin":
		if turn.Continues {
			return true, nil
		}
		return true, tell.Begin()
	case "status":
		return true, tell.Status(step.State, said(step.Text))
	case "artifact":
		parts := slices.Clone(step.Parts)
		for i := range parts {
			parts[i].Text = said(parts[i].Text)
		}
		lastChunk := step.LastChunk == nil || *step.LastChunk
		return true, tell.Artifact(Artifact{Name: step.Name, Parts: parts, Append: step.Append, LastChunk: lastChunk})
	case "wait":
		return true, p.wait(ctx, step, turn.Text)
	case "relay":
		return relay(ctx, step.Name, turn.Text, tell)
	}
	return false, fmt.Errorf("skills.json has a step that this driver does not know: %s", step.Do)
}

var firstNumber = regexp.MustCompile(`[0-9]+(\.[0-9]+)?`)

func (p *Performer) wait(ctx context.Context, step step, text string) error {
	seconds := step.Seconds
	if asked, err := strconv.ParseFloat(firstNumber.FindString(text), 64); step.Asked && err == nil {
		seconds = asked
	}
	seconds = max(seconds*p.scale, step.AtLeast)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Duration(seconds * float64(time.Second))):
		return nil
	}
}

var relayed = regexp.MustCompile(`^\s*\S+\s+(\S+)\s+([\s\S]+)$`)

func relay(ctx context.Context, name, text string, tell Teller) (goOn bool, err error) {
	asked := relayed.FindStringSubmatch(text)
	if asked == nil {
		return false, tell.Status("rejected", "[relay] Say: relay <cardUrl> <text>")
	}
	if !isLoopback(asked[1]) {
		return false, tell.Status("rejected", "[relay] Only agents on 127.0.0.1 and [::1] are asked.")
	}
	texts, err := tell.Ask(ctx, asked[1], asked[2])
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		return false, tell.Status("failed", "[relay] "+err.Error())
	}
	part := Part{Text: strings.Join(texts, "\n")}
	return true, tell.Artifact(Artifact{Name: name, Parts: []Part{part}, LastChunk: true})
}

func isLoopback(address string) bool {
	parsed, err := url.Parse(address)
	return err == nil && (parsed.Hostname() == "127.0.0.1" || parsed.Hostname() == "::1")
}
