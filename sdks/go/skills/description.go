// Package skills does what sdks/skills.json says, on whatever SDK tells the world of it.
package skills

import (
	"encoding/json"
	"os"
	"strconv"
)

// Agent is what a card says of an agent, and which skills it has.
type Agent struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Streaming   bool     `json:"streaming"`
	Push        bool     `json:"push"`
	InputModes  []string `json:"inputModes"`
	OutputModes []string `json:"outputModes"`
	// Listed are the skills on the card; Answers are had as well; Otherwise is for messages that name none.
	Listed    []string `json:"skills"`
	Answers   []string `json:"answers"`
	Otherwise string   `json:"otherwise"`
}

// Skill is a row of steps, and rows for the messages that go on with its task.
type Skill struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Tags        []string `json:"tags"`
	Steps       []step   `json:"steps"`
	Next        []struct {
		Contains string `json:"contains"`
		Steps    []step `json:"steps"`
	} `json:"next"`
}

type step struct {
	Do        string  `json:"do"`
	Text      string  `json:"text"`
	State     string  `json:"state"`
	Name      string  `json:"name"`
	Parts     []Part  `json:"parts"`
	Append    bool    `json:"append"`
	LastChunk *bool   `json:"lastChunk"`
	Seconds   float64 `json:"seconds"`
	Asked     bool    `json:"asked"`
	AtLeast   float64 `json:"atLeast"`
}

// Part is text, data or a file.
type Part struct {
	Text      string         `json:"text"`
	Data      map[string]any `json:"data"`
	Raw       []byte         `json:"raw"`
	Filename  string         `json:"filename"`
	MediaType string         `json:"mediaType"`
}

// Description is all of skills.json.
type Description struct {
	Agents map[string]Agent `json:"agents"`
	Skills map[string]Skill `json:"skills"`
}

// Read reads skills.json from where ASSAY_SKILLS says, or beside the driver's folder.
func Read() (Description, error) {
	path := os.Getenv("ASSAY_SKILLS")
	if path == "" {
		path = "../skills.json"
	}
	var read Description
	bytes, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(bytes, &read)
	}
	return read, err
}

// timeScale is the factor of every wait.
func timeScale() float64 {
	if scale, err := strconv.ParseFloat(os.Getenv("ASSAY_TIME_SCALE"), 64); err == nil {
		return scale
	}
	return 1
}
